// Evaluates values once that an expansion uses several times: arguments of inlines, the input of a translator.
//
// Expansion replaces each use of a parameter by the argument, which is correct and cheapest for a variable or a member.
// But `x++` or copyinstr() must be evaluated once per use of the inline. Repeated branches such as a && b would also
// double the paths for the verifier each time. Such a value is stored in a nameless clause-local variable before the
// expanded expression.
#include <algorithm>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

/// Returns whether the value has side effects or branches.
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
        TExpr* copy = program.expr(); // a copy, because the node may be used elsewhere without the store
        *copy = *value;
        copy->kids[0] = after(store, value->kids[0]);
        return copy;
    }
    TExpr* made = checker.values.node(TOp::Comma, value->type, value->at, {store, value});
    made->scratch = value->scratch;
    return made;
}

} // namespace dt::sema
