// Values that are written once and mentioned several times: arguments of inlines, the input of a translator.
//
// Expansion puts the argument wherever the parameter stands. That is right, and cheapest, for a variable or a member;
// but `x++` or a copyinstr() must happen once for each use of the inline, however often its body mentions the
// parameter, and each branch of an a && b doubles the ways that the kernel's verifier follows. Such a value is stored
// in a clause-local variable that no program can name, in front of whatever the expansion became.
#include <algorithm>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

/// Has it effects, or branches?
bool is_for_once(const TExpr* value)
{
    return value->op == TOp::Assign || value->op == TOp::Call || value->op == TOp::Address || value->op == TOp::And ||
           value->op == TOp::Or || value->op == TOp::Conditional ||
           std::any_of(value->kids.begin(), value->kids.end(), is_for_once);
}

} // namespace

Once Assignments::once(TExpr* value)
{
    const TypeKind kind = value->type->resolve()->kind;
    const bool storable = value->type->is_scalar() || kind == TypeKind::String;
    if (here.unevaluated || !storable || !is_for_once(value))
        return {nullptr, value};
    Variable& made = *checker.names.create_variable(Scope::This, "`" + std::to_string(once_++),
                                                    checker.values.value_type(value), {}, value->at);
    made.scratch_pointer = value->scratch;
    TExpr* target = checker.expressions.variable(made, {}, value->at);
    TExpr* store = checker.values.node(TOp::Assign, target->type, value->at, {target, value});
    store->scratch = value->scratch;
    return {store, checker.expressions.variable(made, {}, value->at)};
}

TExpr* Assignments::settled(TExpr* place, TExpr*& stores)
{
    const bool element = place->op == TOp::Variable || place->op == TOp::Index || place->op == TOp::Deref;
    if (!element && place->op != TOp::Member)
        return place;
    TExpr* copy = program.expr();
    *copy = *place;
    for (std::size_t i = 0; i < copy->kids.size(); ++i) {
        const bool path = i == 0 && (place->op == TOp::Member || place->op == TOp::Index);
        if (path) {
            copy->kids[i] = settled(copy->kids[i], stores);
            continue;
        }
        const Once kid = once(copy->kids[i]);
        copy->kids[i] = kid.value;
        if (kid.store)
            stores =
                stores ? checker.values.node(TOp::Comma, kid.store->type, place->at, {stores, kid.store}) : kid.store;
    }
    return copy;
}

TExpr* Assignments::after(TExpr* store, TExpr* value)
{
    if (!store)
        return value;
    const bool path = value->op == TOp::Member || value->op == TOp::Deref ||
                      (value->op == TOp::Index && !value->kids[0]->type->is_string());
    if (path && is_lvalue(value)) {
        TExpr* copy = program.expr(); // the node may be mentioned elsewhere, without the store
        *copy = *value;
        copy->kids[0] = after(store, value->kids[0]);
        return copy;
    }
    TExpr* made = checker.values.node(TOp::Comma, value->type, value->at, {store, value});
    made->scratch = value->scratch;
    return made;
}

} // namespace dt::sema
