// Checks assignments, which also create variables, and the rules about writable operands (dtrace-variables(7),
// VARIABLES OF A PROGRAM; dtrace-errors(7), D_OP_WRITE). Undeclared integer variables get their types from assigned
// values. A value that the expansion of an inline or translator uses several times is assigned to a nameless variable.
#include <algorithm>

#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

namespace {

std::string name_of(const ast::Expr& e)
{
    return (e.kind == ast::ExprKind::Self ? "self->" : e.kind == ast::ExprKind::This ? "this->" : "") + e.text;
}

Scope scope_of(const ast::Expr& e)
{
    return e.kind == ast::ExprKind::Self ? Scope::Self : e.kind == ast::ExprKind::This ? Scope::This : Scope::Global;
}

bool names_variable(const ast::Expr& e)
{
    return (e.kind == ast::ExprKind::Identifier && e.text.find('`') == std::string::npos && e.text != "self" &&
            e.text != "this") ||
           e.kind == ast::ExprKind::Self || e.kind == ast::ExprKind::This;
}

const TExpr* root_of(const TExpr* target)
{
    while (target->op == TOp::Member || target->op == TOp::Index)
        target = target->kids[0];
    return target;
}

} // namespace

TExpr* Assignments::create_target(const ast::Expr& target, const Type* type, std::string hint)
{
    const bool element = target.kind == ast::ExprKind::Index;
    const ast::Expr& name = element ? *target.kids[0] : target;
    if (!names_variable(name))
        return nullptr;
    const Scope scope = scope_of(name);
    if (scope == Scope::Global) {
        for (const auto& binding : here.frames.back())
            if (binding.first == name.text)
                return nullptr;
        if (const Global* known = checker.names.find_global(name.text); known && !known->weak)
            return nullptr;
    } else if (checker.names.find_variable_of(scope, name.text)) {
        return nullptr;
    }
    if (type->resolve()->kind == TypeKind::Void || type->resolve()->kind == TypeKind::Dynamic ||
        type->resolve()->kind == TypeKind::SymAddr || type->resolve()->kind == TypeKind::UserSymAddr) {
        // An action or aggregating function has no value to assign. If an error about it was deferred, that error is
        // reported here, because it is more helpful than the one below.
        checker.reports.report_deferred(here.deferred_owner);
        fail("D_OP_INCOMPAT", target.at,
             "operands have incompatible types: \"<undefined>\" = \"" + dt::to_string(type) + "\"", std::move(hint));
    }
    if (!element)
        return checker.expressions.variable(*create_undeclared(scope, name.text, type, {}, name.at), {}, target.at);
    if (scope == Scope::This)
        fail("D_ARR_LOCAL", target.at, "local variables may not be used as associative arrays: " + name_of(name));
    std::vector<TExpr*> values;
    std::vector<const Type*> key_types;
    for (std::size_t i = 1; i < target.kids.size(); ++i) {
        TExpr* key = checker.expressions.expr(*target.kids[i]);
        const TypeKind kind = key->type->resolve()->kind;
        if (kind == TypeKind::Void || kind == TypeKind::Dynamic)
            fail("D_KEY_TYPE", target.kids[i]->at,
                 name_of(name) + "[ ] key #" + std::to_string(i) + " may not be of type " + dt::to_string(key->type));
        key_types.push_back(checker.values.value_type(key));
        values.push_back(key->type->is_string() ? key : checker.values.argument(key, key->type));
    }
    return checker.expressions.variable(*create_undeclared(scope, name.text, type, key_types, name.at), values,
                                        target.at);
}

bool Assignments::only_scratch(const Variable& variable) const
{
    const auto uses = pointer_uses_.find(&variable);
    return uses != pointer_uses_.end() && uses->second == 1;
}

void Assignments::check_writable(const TExpr* target, const Span& at, std::string_view op)
{
    if (!is_lvalue(target))
        fail("D_OP_LVAL", at, "operator " + std::string(op) + " requires a modifiable lvalue as an operand");
    const TExpr* root = root_of(target);
    const bool through_string = target->op == TOp::Index && target->kids[0]->type->is_string() &&
                                (target->kids[0]->op != TOp::Variable || !target->kids[0]->kids.empty());
    if ((root->op == TOp::Variable && !through_string) || (root->op == TOp::Deref && root->kids[0]->scratch))
        return;
    fail("D_OP_WRITE", at, "operator " + std::string(op) + " can only be applied to a writable variable",
         target->op == TOp::Index && target->kids[0]->type->is_string()
             ? "single characters can only be changed in a string variable that has no keys"
         : op == "=" && (diagnostics.where() == Where::Predicate || root->op != TOp::Deref) ? "to compare, write =="
         : root->op == TOp::Deref ? "kernel memory cannot be changed"
                                  : "");
}

void Assignments::note_scratch(TExpr* target, const TExpr* value, const Span& at)
{
    if (checker.operators.mixes_pointers(value))
        defer("D_ALLOCA_INCOMPAT", at, "assignment mixes addresses of scratch memory and other pointers");
    if (target->op != TOp::Variable || !value->type->is_scalar() || is_null_constant(value))
        return;
    // const_cast is safe: the checker has created the variables and owns them
    auto* assigned = const_cast<Variable*>(target->variable);
    uint8_t& uses = pointer_uses_[assigned];
    uses |= value->scratch ? 1 : 2;
    if (value->type->is_integer())
        return; // the same variable may contain a scratch pointer at one time and another pointer later
    if (value->scratch)
        assigned->scratch_pointer = true;
    if (uses == 3)
        defer("D_ALLOCA_INCOMPAT", at,
              assigned->name + ": cannot hold both addresses of scratch memory and other pointers");
}

TExpr* Assignments::assign_to(const ast::Expr& target_ast, TExpr* value, const Span& at)
{
    DynamicValue* object = checker.values.dynamic(value);
    const bool copies = object && object->translator && !object->pointer;
    const Type* created = copies ? object->translator->output : checker.values.value_type(value);
    if (created->resolve()->kind == TypeKind::Array) {
        TExpr* pointer = checker.values.decay(value);
        created = is_char_array(created) && !pointer->scratch ? types.string() : pointer->type;
    }
    TExpr* target = create_target(target_ast, created, checker.values.aggregation_hint(value));
    if (!target)
        target = checker.expressions.expr(target_ast);
    const TypeKind kind = target->type->resolve()->kind;
    if (kind == TypeKind::Array || kind == TypeKind::Function)
        fail("D_OP_ARRFUN", at, "operator = may not be applied to operand of type " + dt::to_string(target->type));
    if (copies && target->type->is_record() && checker.values.compatible(target->type, object->translator->output)) {
        check_writable(target, at, "=");
        return checker.translators.translated_copy(target, *object, at);
    }
    const bool deletes = is_null_constant(value) && value->type->is_integer() && target->op == TOp::Variable &&
                         (!target->kids.empty() || target->variable->scope == Scope::Self);
    TExpr* converted = deletes && !target->type->is_scalar() && kind != TypeKind::String
                           ? value
                           : checker.values.argument(value, kept_type(target));
    if (!converted && value->type->resolve()->kind == TypeKind::Void)
        checker.reports.report_deferred(here.deferred_owner);
    if (!converted)
        fail("D_OP_INCOMPAT", at,
             "operands have incompatible types: \"" + dt::to_string(target->type) + "\" = \"" +
                 dt::to_string(value->type) + "\"",
             target->type->is_string() ? text_hint(value->type, value) : "");
    check_writable(target, at, "=");
    note_scratch(target, converted, at);
    note_assigned(target, value, at);
    if (target->op == TOp::Variable && target->variable->scratch_pointer && target->type->is_pointer())
        target->scratch = true;
    TExpr* made = checker.values.node(TOp::Assign, target->type, at, {target, converted});
    made->scratch = converted->scratch;
    return made;
}

TExpr* Assignments::assign(const ast::Expr& e)
{
    const ast::Expr& target = *e.kids[0];
    const bool aggregation =
        target.kind == ast::ExprKind::Aggregation ||
        (target.kind == ast::ExprKind::Index && target.kids[0]->kind == ast::ExprKind::Aggregation);
    if (e.op != ast::Operator::Assign)
        return compound_assign(e);
    if (aggregation) {
        checker.aggregations.aggregate(e); // reports an error if an expression uses an aggregation as a value
        return checker.values.dynamic_node(
            {checker.aggregations.find_aggregation(target.kind == ast::ExprKind::Aggregation ? target.text
                                                                                             : target.kids[0]->text)},
            e.at);
    }
    return assign_to(target, checker.expressions.expr(*e.kids[1]), e.at);
}

TExpr* Assignments::compound_assign(const ast::Expr& e)
{
    using Op = ast::Operator;
    const ast::Expr& target_ast = *e.kids[0];
    TExpr* value = checker.expressions.expr(*e.kids[1]);
    const ast::Expr& root = target_ast.kind == ast::ExprKind::Index ? *target_ast.kids[0] : target_ast;
    if (root.kind == ast::ExprKind::Aggregation)
        fail("D_VAR_UNDEF", e.at, "@" + root.text + " may only be assigned the result of an aggregating function",
             "to count, write @" + root.text + " = count(); to add or subtract, @" + root.text + " = sum(value)");
    if (target_ast.kind == ast::ExprKind::Identifier && names_variable(target_ast) && here.frames.size() == 1 &&
        !checker.names.find_global(target_ast.text))
        fail_unknown("D_VAR_UNDEF", target_ast.at, target_ast.text,
                     target_ast.text + " has not yet been declared or assigned");
    TExpr* target = checker.expressions.expr(target_ast);
    const std::string op = spelled(e.op);
    const Type* type = target->type;
    TExpr* made = checker.values.node(TOp::Assign, type, e.at, {target, value});
    if (e.op == Op::AssignAdd || e.op == Op::AssignSub) {
        if (type->is_pointer() && value->type->is_integer()) {
            const TypeKind kind = type->resolve()->target->resolve()->kind;
            if (kind == TypeKind::Void || kind == TypeKind::Function)
                fail("D_OP_VFPTR", e.at,
                     "operator " + op + " may not be applied to operand of type " + dt::to_string(type));
            check_writable(target, e.at, op);
            TExpr* step =
                checker.operators.pointer_step(e.op == Op::AssignSub ? TOp::Subtract : TOp::Add, target, value, e.at);
            made->compound = TOp::PointerAdd;
            made->value = step->value;
            made->kids[1] = step->kids[1];
            made->scratch = target->scratch;
            return made;
        }
        if (!type->is_integer() || !value->type->is_integer()) {
            const bool known =
                type->is_integer() || type->is_pointer() || type->is_string() || value->type->is_string();
            fail(known ? "D_OP_INCOMPAT" : "D_OP_VFPTR", e.at,
                 "operands have incompatible types: \"" + dt::to_string(type) + "\" " + op + " \"" +
                     dt::to_string(value->type) + "\"");
        }
    }
    const TOp operation = typed_operator(e.op);
    const bool sum = operation == TOp::Add || operation == TOp::Subtract;
    // The rules of the arithmetic operator, such as + in +=, are checked first; then those of the assignment.
    const TExpr* result = sum ? checker.operators.additive(operation, target, value, e.at)
                              : checker.operators.arithmetic(operation, target, value, e.at);
    if (const bool bits = operation == TOp::BitAnd || operation == TOp::BitOr || operation == TOp::BitXor;
        (bits || operation == TOp::Divide || operation == TOp::Modulo) &&
        checker.operators.wraps_around(result->type, target, value))
        made->kids[1] = checker.operators.unsigned_operand(value, result->type);
    check_writable(target, e.at, op);
    made->compound = operation;
    made->is_signed = result->is_signed;
    note_assigned(target, result, e.at);
    return made;
}

TExpr* Assignments::increment(const ast::Expr& e, bool post)
{
    const ast::Expr& target_ast = *e.kids[0];
    const bool down = e.op == ast::Operator::Decrement;
    const ast::Expr& root = target_ast.kind == ast::ExprKind::Index ? *target_ast.kids[0] : target_ast;
    if (root.kind == ast::ExprKind::Aggregation)
        fail("D_VAR_UNDEF", e.at, "@" + root.text + " may only be assigned the result of an aggregating function",
             "to count, write @" + root.text + " = count(); to add or subtract, @" + root.text + " = sum(value)");
    TExpr* target = create_target(target_ast, types.named("int64_t"));
    if (!target)
        target = checker.expressions.expr(target_ast);
    const Type* type = target->type;
    const std::string op = spelled(e.op);
    if (!type->is_scalar())
        fail("D_OP_SCALAR", e.at, "operator " + op + " requires an operand of scalar type");
    TExpr* one = checker.values.integer(1, type->is_pointer() ? types.named("long") : type, e.at);
    TExpr* made = checker.values.node(TOp::Assign, type, e.at, {target, one});
    made->compound = down ? TOp::Subtract : TOp::Add;
    made->post = post;
    made->scratch = target->scratch;
    if (type->is_pointer()) {
        const TypeKind kind = type->resolve()->target->resolve()->kind;
        if (kind == TypeKind::Void || kind == TypeKind::Function)
            fail("D_OP_VFPTR", e.at,
                 "operator " + op + " may not be applied to operand of type " + dt::to_string(type));
        made->compound = TOp::PointerAdd;
        made->value = checker.operators.pointer_step(down ? TOp::Subtract : TOp::Add, target, one, e.at)->value;
    }
    check_writable(target, e.at, op);
    return made;
}

// Determines the types of undeclared integer variables. Also warns about declared variables that are too narrow for the
// values assigned to them.

namespace {

bool is_undeclared_integer(const TExpr* target)
{
    return target->op == TOp::Variable && target->variable->stored != target->variable->type;
}

uint64_t width(const Type* type)
{
    return type->resolve()->size;
}

} // namespace

const Type* UndeclaredIntegers::type_for(Scope scope, const std::string& name, const Type* type)
{
    const Type*& widest = types_.emplace(std::make_pair(scope, name), type).first->second;
    if (width(widest) < width(type))
        widest = type;
    return widest;
}

Variable* Assignments::create_undeclared(Scope scope, const std::string& name, const Type* type,
                                         std::vector<const Type*> keys, const Span& at)
{
    if (!type->is_integer())
        return checker.names.create_variable(scope, name, type, std::move(keys), at);
    const Type* const widest = checker.undeclared.type_for(scope, name, type);
    Variable* made = checker.names.create_variable(scope, name, widest, std::move(keys), at);
    made->stored = types.integer(8, widest->resolve()->is_signed);
    return made;
}

const Type* Assignments::kept_type(const TExpr* target)
{
    return is_undeclared_integer(target) ? target->variable->stored : target->type;
}

void Assignments::note_assigned(const TExpr* target, const TExpr* value, const Span& at)
{
    if (target->op != TOp::Variable || !target->type->is_integer() || !value->type->is_integer())
        return;
    const Variable& variable = *target->variable;
    if (checker.undeclared.has(variable) &&
        checker.names.find_variable_of(variable.scope, variable.name) == &variable) {
        checker.undeclared.note_assigned(variable, value);
        return;
    }
    const bool narrows = width(value->type) > width(target->type) && value->op != TOp::Integer;
    const bool own = here.source && here.source->kind != Source::Kind::Library && here.expansions.empty();
    if (!narrows || !own || here.unevaluated || variable.name.empty() || !narrowing_reported_.insert(&variable).second)
        return;
    const std::string prefix = variable.scope == Scope::Self ? "self" : variable.scope == Scope::This ? "this" : "";
    std::string declaration = prefix + (prefix.empty() ? "" : " ") + dt::to_string(value->type) + " " + variable.name;
    for (std::size_t i = 0; i < variable.keys.size(); ++i)
        declaration += (i ? ", " : "[") + dt::to_string(variable.keys[i]);
    declaration += variable.keys.empty() ? ";" : "];";
    diagnostics.warning(at, prefix + (prefix.empty() ? "" : "->") + variable.name + ", declared " +
                                dt::to_string(variable.type) + ", stores only " +
                                std::to_string(8 * width(variable.type)) + " bits of this " +
                                dt::to_string(value->type) + ": declare it as " + declaration);
}

/// Returns the type of an assigned value. The type is computed from the types that the variables in the value have so
/// far.
const Type* UndeclaredIntegers::assigned_type(Checker& checker, const TExpr* value) const
{
    switch (value->op) {
    case TOp::Variable: {
        const auto found = types_.find({value->variable->scope, value->variable->name});
        return found != types_.end() ? found->second : value->type;
    }
    case TOp::Negate:
    case TOp::BitNot:
    case TOp::ShiftLeft:
    case TOp::ShiftRight:
    case TOp::Assign:
        return assigned_type(checker, value->kids[0]);
    case TOp::Comma:
        return assigned_type(checker, value->kids[1]);
    case TOp::Conditional:
        if (value->kids[1]->type->is_integer() && value->kids[2]->type->is_integer())
            return checker.values.usual_type(assigned_type(checker, value->kids[1]),
                                             assigned_type(checker, value->kids[2]));
        return value->type;
    default:
        return !is_arithmetic(value->op) ? value->type
                                         : checker.values.usual_type(assigned_type(checker, value->kids[0]),
                                                                     assigned_type(checker, value->kids[1]));
    }
}

bool UndeclaredIntegers::widen(Checker& checker)
{
    // The type of a variable may depend on the types of others, so the loop repeats until none becomes wider. A
    // variable becomes wider at most three times: from one byte to two, four and eight.
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [variable, value] : assigned_) {
            const Type*& widest = types_[{variable->scope, variable->name}];
            const Type* type = assigned_type(checker, value);
            if (width(type) <= width(widest))
                continue;
            widest = type;
            changed = true;
        }
    }
    for (const auto& [variable, value] : assigned_)
        if (width(types_[{variable->scope, variable->name}]) > width(variable->type))
            return true;
    return false;
}

// Values that are evaluated only once although an expansion uses them several times: an argument of an inline, the
// input of a translator.
//
// An expansion replaces each use of a parameter by the argument. That is right and cheapest for a variable or a member.
// But `x++` or copyinstr() must be evaluated only once, and each repetition of a branch, such as a && b, would double
// the verifier's paths. Such a value is assigned to a nameless clause-local variable before the expansion, which then
// reads the variable.

namespace {

/// Returns whether the value has side effects or branches, so that it must be evaluated only once.
bool is_for_once(const TExpr* value)
{
    return value->op == TOp::Assign || value->op == TOp::Call || value->op == TOp::Address || value->op == TOp::And ||
           value->op == TOp::Or || value->op == TOp::Conditional ||
           std::any_of(value->kids.begin(), value->kids.end(), is_for_once);
}

} // namespace

AssignedOnce Assignments::once(TExpr* value)
{
    const TypeKind kind = value->type->resolve()->kind;
    const bool storable = value->type->is_scalar() || kind == TypeKind::String;
    if (here.unevaluated || !storable || !is_for_once(value))
        return {nullptr, value};
    return kept(value);
}

AssignedOnce Assignments::kept(TExpr* value)
{
    if (here.unevaluated)
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
        const AssignedOnce kid = once(copy->kids[i]);
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
        TExpr* copy = program.expr(); // copies the node, because other expressions may contain the original
        *copy = *value;
        copy->kids[0] = after(store, value->kids[0]);
        return copy;
    }
    TExpr* made = checker.values.node(TOp::Comma, value->type, value->at, {store, value});
    made->scratch = value->scratch;
    return made;
}

} // namespace dt::sema
