// Checks expressions: literals, names, members, subscripts, unary operators and casts. Also finds bounds of integer
// expressions at compile time.
#include <algorithm>
#include <optional>

#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::sema {

struct Interval {
    int64_t low = 0, high = 0;
};

/// Returns an interval that contains all possible values of an integer expression, or nothing if no bounds are known.
/// Takes time linear in the size of the expression.
std::optional<Interval> certain_interval(const TExpr& e);

namespace {

/// A type that an integer constant can have. The constant gets the first type in the list that can hold its value
/// (dtrace-language(7), CONSTANTS).
struct LiteralType {
    const char* name;
    uint64_t most;
    bool in_decimal; ///< whether a decimal constant without suffix `u` can have the type too
    bool is_unsigned;
    uint8_t longs;
};
constexpr LiteralType kLiteralTypes[] = {
    {"int", INT32_MAX, true, false, 0},       {"unsigned int", UINT32_MAX, false, true, 0},
    {"long", INT64_MAX, true, false, 1},      {"unsigned long", UINT64_MAX, false, true, 1},
    {"long long", INT64_MAX, true, false, 2}, {"unsigned long long", UINT64_MAX, false, true, 2},
};

const char* literal_type(const ast::Expr& e, DataModel model)
{
    for (const LiteralType& candidate : kLiteralTypes) {
        const bool narrow = candidate.longs == 1 && model == DataModel::Ilp32;
        if (candidate.longs < e.longs || e.number > (narrow ? candidate.most >> 32 : candidate.most))
            continue;
        if (e.unsigned_suffix ? !candidate.is_unsigned : (e.decimal && !candidate.in_decimal))
            continue;
        return candidate.name;
    }
    return nullptr;
}

TExpr* integer_literal(Checker& checker, const ast::Expr& e)
{
    const char* type = literal_type(e, checker.types.model());
    if (!type)
        checker.reports.fail("D_INT_OFLOW", e.at,
                             "integer constant " + std::to_string(e.number) + " is too large for its type");
    return checker.values.integer(static_cast<int64_t>(e.number), checker.types.named(type), e.at);
}

TExpr* string_literal(Checker& checker, const ast::Expr& e)
{
    // In D, a string ends at its first NUL. Only sizeof counts bytes of a literal after it.
    const std::string text = e.text.substr(0, e.text.find('\0'));
    TExpr* made = checker.values.node(TOp::String, checker.types.string_of(text.size() + 1), e.at);
    made->text = text;
    return made;
}

} // namespace

TExpr* Expressions::expr(const ast::Expr& e)
{
    const bool addresses = std::exchange(here.addresses_allowed, false);
    const bool recorded = std::exchange(here.recorded, false);
    switch (e.kind) {
    case ast::ExprKind::Integer:
        return integer_literal(checker, e);
    case ast::ExprKind::Macro:
        return checker.values.integer(static_cast<int64_t>(e.number), types.named("int"), e.at);
    case ast::ExprKind::String:
        return string_literal(checker, e);
    case ast::ExprKind::Identifier:
    case ast::ExprKind::Self:
    case ast::ExprKind::This:
        return identifier(e, recorded);
    case ast::ExprKind::Aggregation:
        return checker.aggregations.aggregation_reference(e);
    case ast::ExprKind::Index:
        return index(e);
    case ast::ExprKind::Call:
        here.addresses_allowed = addresses;
        here.recorded = recorded;
        return checker.calls.call(e);
    case ast::ExprKind::Member:
    case ast::ExprKind::Arrow:
        return member(e);
    case ast::ExprKind::Unary:
        return unary(e);
    case ast::ExprKind::Postfix:
        return checker.assignments.increment(e, true);
    case ast::ExprKind::Binary:
        return checker.operators.binary_chain(e);
    case ast::ExprKind::Assign:
        return checker.assignments.assign(e);
    case ast::ExprKind::Conditional:
        return checker.operators.conditional(e);
    case ast::ExprKind::Comma:
        return checker.operators.comma(e);
    case ast::ExprKind::Cast:
        return cast_expression(e);
    case ast::ExprKind::SizeofExpr:
    case ast::ExprKind::SizeofType:
        return sizeof_expression(e);
    case ast::ExprKind::Offsetof:
        return offsetof_expression(e);
    case ast::ExprKind::Stringof:
        return string_of(expr(*e.kids[0]), e.at, "D_STRINGOF_TYPE");
    case ast::ExprKind::Xlate:
        return checker.translators.xlate(e);
    }
    fail("D_UNKNOWN", e.at, "unknown kind of expression");
}

TExpr* Expressions::variable(Variable& variable, std::vector<TExpr*> keys, const Span& at)
{
    TExpr* made = checker.values.node(TOp::Variable, variable.type, at, std::move(keys));
    made->variable = &variable;
    if (variable.scratch_pointer && variable.type->is_pointer()) {
        made->scratch = true;
        made->type = types.pointer_to(variable.type->resolve()->target, AddressSpace::Scratch);
    }
    made->scratch |= variable.type->is_integer() && checker.assignments.only_scratch(variable);
    return made;
}

namespace {

/// Returns the stability attributes of probefunc and similar variables: they are those of a component of the probe
/// description.
Attributes builtin_attributes(const Checker& checker, const BuiltinVariable& builtin)
{
    constexpr std::pair<VariableRole, Attributes ProviderAttributes::*> components[] = {
        {VariableRole::ProbeProvider, &ProviderAttributes::provider},
        {VariableRole::ProbeModule, &ProviderAttributes::module},
        {VariableRole::ProbeFunction, &ProviderAttributes::function},
        {VariableRole::ProbeName, &ProviderAttributes::name}};
    for (const auto& [role, component] : components)
        if (role == builtin.role && checker.here.statement && !checker.here.statement->probes.empty() &&
            checker.here.statement->probes.front()->attributes)
            return checker.here.statement->probes.front()->attributes->*component;
    return builtin.attributes;
}

/// Reports an error for a use of arg0, arg1, … if its location is unknown at one of the clause's probes.
void refuse_argument(Checker& checker, const BuiltinVariable& builtin, const Span& at)
{
    const std::string_view name = builtin.name;
    if (name.size() != 4 || !name.starts_with("arg") || name.back() < '0' || name.back() > '9' ||
        !checker.here.statement || checker.here.unevaluated)
        return;
    for (const Probe* const probe : checker.here.statement->probes)
        if (const std::string refusal =
                checker.world.probes().argument_refusal(*probe, static_cast<std::size_t>(name.back() - '0'));
            !refusal.empty())
            checker.reports.fail("D_ARGS_TYPE", at,
                                 std::string(name) + " of " + probe->full_name() + " cannot be read: " + refusal);
}

TExpr* builtin_value(Checker& checker, Global& global, const Span& at, bool recorded)
{
    const BuiltinVariable& builtin = *global.builtin;
    if (builtin.role == VariableRole::Locals)
        return checker.expressions.all_locals(builtin, at);
    if (builtin.is_array())
        checker.reports.fail("D_IDENT_BADREF", at, "array " + global.name + " may not be referenced as scalar",
                             "write " + global.name + "[0] for the first element");
    const Type* type = checker.names.type_text(builtin.type);
    if (!type)
        checker.reports.fail("D_UNKNOWN", at, "failed to resolve type of " + global.name + ": Unknown type name");
    if (builtin.is_only_recorded() && !recorded && !checker.here.unevaluated)
        checker.reports.fail("D_CG_EXPR", at,
                             "variable " + global.name +
                                 " may not be used in a D expression: its text is only known when it is printed",
                             "record it, as in printf(\"%s\", " + global.name + ") or @[" + global.name +
                                 "]; in expressions, use cgroup; to trace one control group, use -x cgroup=PATH");
    if (builtin.role == VariableRole::ThreadName)
        type = checker.types.string_of(kThreadName);
    checker.names.touch_attributes(global.attributes.value_or(builtin_attributes(checker, builtin)), at,
                                   "scalar " + global.name);
    refuse_argument(checker, builtin, at);
    TExpr* made = checker.values.node(TOp::Builtin, type, at);
    made->builtin = &builtin;
    return made;
}

const char* kind_word(const Global& global)
{
    switch (global.kind) {
    case Global::Kind::Action:
        return "tracing function";
    case Global::Kind::AggFunction:
        return "aggregating function";
    case Global::Kind::Variable:
        return "associative array";
    default:
        return "function";
    }
}

TExpr* global_value(Checker& checker, Global& global, const Span& at, bool recorded)
{
    switch (global.kind) {
    case Global::Kind::Builtin:
        return builtin_value(checker, global, at, recorded);
    case Global::Kind::Constant:
        return checker.values.integer(global.value, global.type, at);
    case Global::Kind::Inline:
        if (global.definition->parameters.empty())
            return checker.inlines.expand_inline(global, {}, at);
        break;
    case Global::Kind::Variable:
        if (global.variable->keys.empty()) {
            checker.names.touch_attributes(global.attributes.value_or(Attributes{}), at, "scalar " + global.name);
            return checker.expressions.variable(*global.variable, {}, at);
        }
        break;
    case Global::Kind::External: {
        auto symbol = checker.world.symbol({}, global.name);
        if (!symbol)
            checker.reports.fail("D_IDENT_UNDEF", at, "failed to resolve " + global.name + ": Unknown symbol name",
                                 checker.world.symbol_hint());
        symbol->type = global.type;
        return checker.symbols.kernel_symbol(*symbol, global.name, at);
    }
    default:
        break;
    }
    const bool called = global.kind == Global::Kind::Action || global.kind == Global::Kind::AggFunction ||
                        global.kind == Global::Kind::Subroutine;
    checker.reports.fail("D_IDENT_BADREF", at,
                         std::string(kind_word(global)) + " " + global.name + " may not be referenced as scalar",
                         called ? "write " + global.name + "()" : "");
}

/// If a later clause of the source text assigns the variable, returns a hint to move that clause up. Otherwise returns
/// an empty string.
std::string assigned_behind(const Span& at, const std::string& name)
{
    std::string_view rest = at.source ? std::string_view(at.source->text) : std::string_view();
    rest.remove_prefix(std::min<std::size_t>(at.offset + at.length, rest.size()));
    for (std::size_t found = rest.find(name); found != std::string_view::npos; found = rest.find(name)) {
        rest.remove_prefix(found + name.size());
        const std::size_t next = rest.find_first_not_of(" \t\n");
        if (next != std::string_view::npos && rest[next] == '=' && rest.substr(next, 2) != "==")
            return "it is only assigned further down: move the clause that assigns it before this one";
    }
    return {};
}

} // namespace

TExpr* Expressions::identifier(const ast::Expr& e, bool recorded)
{
    if (e.kind == ast::ExprKind::Identifier) {
        if (e.text.find('`') != std::string::npos)
            return checker.symbols.symbol(e);
        for (const auto& [name, value] : here.frames.back())
            if (name == e.text)
                return value;
        if (e.text == "self" || e.text == "this")
            fail("D_IDENT_BADREF", e.at, e.text + " may not be referenced by itself", "write " + e.text + "->name");
        if (Global* global = checker.names.find_global(e.text))
            return global_value(checker, *global, e.at, recorded);
        fail_unknown("D_IDENT_UNDEF", e.at, e.text, "failed to resolve " + e.text + ": Unknown variable name",
                     checker.names.suggest_variable(e.text, e.at));
    }
    const Scope scope = e.kind == ast::ExprKind::Self ? Scope::Self : Scope::This;
    const std::string name = (scope == Scope::Self ? "self->" : "this->") + e.text;
    Variable* known = checker.names.find_variable_of(scope, e.text);
    if (!known) {
        const std::string hint = assigned_behind(e.at, name);
        fail_unknown("D_VAR_UNDEF", e.at, name, name + " has not yet been declared or assigned",
                     hint.empty() ? checker.names.suggest_scoped_variable(scope, e.text) : hint);
    }
    if (!known->keys.empty())
        fail("D_IDENT_BADREF", e.at, "associative array " + name + " may not be referenced as scalar");
    checker.names.touch_attributes({}, e.at, "scalar " + name);
    return variable(*known, {}, e.at);
}

// ---- checks of accesses to members --------------------------------------------------------------------------------

bool find_member(const Type* record, std::string_view name, std::vector<const Member*>& path)
{
    for (const Member& member : record->members()) {
        path.push_back(&member);
        if (member.name == name && !name.empty())
            return true;
        if (member.name.empty() && member.type->is_record() && find_member(member.type->resolve(), name, path))
            return true;
        path.pop_back();
    }
    return false;
}

TExpr* Expressions::member_of(TExpr* record, const std::string& name, const Span& at)
{
    const Type* type = checker.names.complete_record(record->type);
    if (!type && here.may_be_missing)
        throw MissingFeature{"no " + dt::to_string(record->type)};
    if (!type)
        fail("D_OP_INCOMPLETE", at,
             "operator . cannot be applied to a forward declaration: no " + dt::to_string(record->type) +
                 " definition is available");
    std::vector<const Member*> path;
    const bool found = find_member(type, name, path);
    if (!found && name == "variant" && has_variants(type))
        return checker.values.variant_name(record);
    if (found)
        record = checker.values.active_variant(record, path.front());
    if (!found && here.may_be_missing)
        throw MissingFeature{"no member " + name + " in " + dt::to_string(type)};
    if (!found)
        fail("D_TYPE_MEMBER", at, name + " is not a member of " + dt::to_string(type),
             checker.names.suggest_member(type, name));
    for (const Member* step : path) {
        record = checker.values.node(TOp::Member, step->type, at, {record});
        record->member = step;
    }
    return record;
}

/// Returns the pointer to the structure that has the member `name`. That is usually `pointer` itself. But if `pointer`
/// points to a smart pointer that lacks this member, it is the pointer inside the smart pointer.
TExpr* Expressions::pointed_record(TExpr* pointer, const std::string& name)
{
    const Type* const target = pointer->type->resolve()->target;
    std::vector<const Member*> path;
    if (!target->is_record() || pointer->type->resolve()->space != AddressSpace::User || !has_wrapped_pointer(target) ||
        find_member(target->resolve(), name, path) || name == "variant")
        return pointer;
    return checker.values.decay(checker.values.node(TOp::Deref, target, pointer->at, {pointer}));
}

TExpr* Expressions::member(const ast::Expr& e)
{
    const bool arrow = e.kind == ast::ExprKind::Arrow;
    if (const BuiltinVariable* const named = builtin_with(VariableRole::Locals, *e.kids[0]))
        return local_variable(*named, e.text, e.at);
    if (const BuiltinVariable* const array = builtin_with(VariableRole::Arguments, *e.kids[0])) {
        if (!arrow)
            return args_named(*array, e);
        if (TExpr* const parameter = parameter_here(e.text, e.at))
            return parameter;
    }
    TExpr* base = expr(*e.kids[0]);
    if (DynamicValue* object = checker.values.dynamic(base); object && object->translator) {
        if (object->pointer != arrow)
            fail(arrow ? "D_OP_PTR" : "D_OP_SOU", e.at,
                 arrow ? "operator -> requires a pointer: use . with this translated struct"
                       : "operator . requires a struct or union: use -> with this translated pointer");
        return checker.translators.translated_member(*object, e.text, e.at);
    }
    if (arrow) {
        TExpr* pointer = checker.values.decay(base);
        if (pointer->type->is_pointer())
            pointer = pointed_record(pointer, e.text);
        if (!pointer->type->is_pointer())
            fail("D_OP_PTR", e.at,
                 "operator -> cannot be applied to a non-pointer of type " + dt::to_string(base->type));
        const Type* target = pointer->type->resolve()->target;
        if (!target->is_record())
            fail("D_OP_SOU", e.at,
                 "operator -> cannot be applied to pointer to type \"" + dt::to_string(target) +
                     "\"; must be applied to a struct or union pointer");
        return member_of(checker.values.node(TOp::Deref, target, e.at, {pointer}), e.text, e.at);
    }
    if (!base->type->is_record())
        fail("D_OP_SOU", e.at,
             "operator . cannot be applied to type \"" + dt::to_string(base->type) +
                 "\"; must be applied to a struct or union",
             base->type->is_pointer() && base->type->resolve()->target->is_record() ? "it is a pointer: use ->" : "");
    return member_of(base, e.text, e.at);
}

// ---- checks of pointers and subscripts ----------------------------------------------------------------------------

TExpr* Expressions::dereference(TExpr* operand, const Span& at)
{
    if (DynamicValue* object = checker.values.dynamic(operand); object && object->translator && object->pointer) {
        DynamicValue target = *object;
        target.pointer = false;
        return checker.values.dynamic_node(target, at);
    }
    if (operand->type->resolve()->kind == TypeKind::Array)
        return subscript(operand, checker.values.integer(0, types.named("int"), at), at);
    if (TExpr* moved = checker.values.text_pointer(operand))
        operand = moved;
    operand = checker.values.decay(operand);
    if (!operand->type->is_pointer())
        fail("D_DEREF_NONPTR", at, "cannot dereference non-pointer type " + dt::to_string(operand->type));
    const Type* target = operand->type->resolve()->target;
    if (target->resolve()->kind == TypeKind::Void)
        fail("D_DEREF_VOID", at, "cannot dereference pointer to void", "cast it to a pointer to another type first");
    if (target->resolve()->kind == TypeKind::Function)
        fail("D_DEREF_FUNC", at, "cannot dereference pointer to function");
    if (target->resolve()->incomplete) {
        if (const Type* complete = checker.names.complete_record(target))
            target = complete;
    }
    return checker.values.node(TOp::Deref, target, at, {operand});
}

TExpr* Expressions::subscript(TExpr* base, TExpr* count, const Span& at)
{
    const Type* type = base->type->resolve();
    const bool is_array = type->kind == TypeKind::Array;
    if (count->type->is_integer() && has_counted_elements(type))
        return checker.values.counted_element(base, count);
    if (!is_array && type->kind != TypeKind::Pointer && type->kind != TypeKind::String)
        fail("D_DEREF_NONPTR", at, "cannot dereference non-pointer type " + dt::to_string(base->type));
    if (!count->type->is_integer())
        fail("D_OP_INCOMPAT", at,
             "operands have incompatible types: \"" + dt::to_string(base->type) + "\" [ \"" +
                 dt::to_string(count->type) + "\" ]");
    TExpr* index = checker.values.convert(count, types.integer(8, count->type->resolve()->is_signed));
    if (type->kind == TypeKind::String)
        return checker.values.node(TOp::Index, types.named("char"), at, {base, index});
    if (type->kind == TypeKind::Pointer)
        return dereference(checker.operators.additive(TOp::Add, base, count, at), at);
    if (count->op == TOp::Integer && type->count > 1 && static_cast<uint64_t>(count->value) >= type->count)
        fail("D_ARR_BOUNDS", at,
             "index outside array bounds: " + std::to_string(count->value) + ", " + dt::to_string(base->type));
    const auto certain = certain_interval(*count);
    if (certain && type->count > 1 &&
        (certain->high < 0 || static_cast<uint64_t>(std::max<int64_t>(certain->low, 0)) >= type->count))
        diagnostics.warning(checker.reports.placed(count->at),
                            "this index is never inside " + dt::to_string(base->type) + ": it is from " +
                                std::to_string(certain->low) + " to " + std::to_string(certain->high));
    TExpr* made = checker.values.node(TOp::Index, type->target, at, {base, index});
    made->scratch = false;
    return made;
}

TExpr* Expressions::address_of(TExpr* operand, const Span& at)
{
    if (operand->type->resolve()->kind == TypeKind::Dynamic)
        fail("D_ADDROF_VAR", at, "cannot take address of dynamic object");
    if (operand->op == TOp::Integer && !operand->text.empty())
        return operand; // the name of a function already denotes its address, so & changes nothing
    if (!is_lvalue(operand))
        fail("D_ADDROF_LVAL", at, "unary & operator may not be applied to a value that is not an lvalue");
    if (operand->op == TOp::Member && operand->member->bit_size != 0)
        fail("D_ADDROF_BITFIELD", at, "cannot take address of bit-field");
    if (operand->op == TOp::Deref)
        return checker.values.convert(operand->kids[0], operand->kids[0]->type);
    const TExpr* root = operand;
    bool through_array = false;
    while (root->op == TOp::Member || root->op == TOp::Index) {
        through_array |= root->op == TOp::Index && root->kids[0]->type->resolve()->kind == TypeKind::Array;
        root = root->kids[0];
    }
    if (root->op == TOp::Builtin || root->type->is_string() || (root->op == TOp::Variable && !through_array))
        fail("D_ADDROF_VAR", at, "cannot take address of variable");
    const bool own = root->op == TOp::Variable || (root->op == TOp::Deref && root->kids[0]->scratch);
    AddressSpace space = own ? AddressSpace::Scratch : AddressSpace::Kernel;
    if (!own && root->op == TOp::Deref)
        space = root->kids[0]->type->resolve()->space;
    TExpr* made = checker.values.node(TOp::AddressOf, types.pointer_to(operand->type, space, 8), at, {operand});
    made->scratch = own;
    return made;
}

// ---- checks of unary operators ------------------------------------------------------------------------------------

TExpr* Expressions::unary(const ast::Expr& e)
{
    using Op = ast::Operator;
    if (e.op == Op::Increment || e.op == Op::Decrement)
        return checker.assignments.increment(e, false);
    TExpr* operand = expr(*e.kids[0]);
    const Type* type = operand->type;
    switch (e.op) {
    case Op::Star:
        return dereference(operand, e.at);
    case Op::Ampersand:
        return address_of(operand, e.at);
    case Op::Plus:
    case Op::Minus:
        if (!type->is_integer()) {
            if (e.op == Op::Minus && operand->scratch)
                fail("D_UNKNOWN", e.at, "operator - may not be applied to a scratch pointer");
            fail("D_OP_ARITH", e.at, "operator " + spelled(e.op) + " requires an operand of arithmetic type");
        }
        return checker.operators.complement(e.op == Op::Minus ? TOp::Negate : TOp::Add, operand, e.at);
    case Op::Tilde:
        if (!type->is_integer())
            fail("D_OP_INT", e.at, "operator ~ requires an operand of integral type");
        return checker.operators.complement(TOp::BitNot, operand, e.at);
    default:
        if (!type->is_scalar())
            fail("D_OP_SCALAR", e.at, "operator ! requires an operand of scalar type");
        if (operand->op == TOp::Integer)
            return checker.values.integer(operand->value == 0, types.named("int"), e.at);
        return checker.values.node(TOp::Not, types.named("int"), e.at, {operand});
    }
}

// ---- checks of casts and of operators on types --------------------------------------------------------------------

TExpr* Expressions::cast_to(TExpr* value, const Type* type, const Span& at)
{
    if (TExpr* moved = checker.values.text_pointer(value); moved && type->is_scalar())
        value = moved;
    const Type* to = type->resolve();
    const Type* from = value->type->resolve();
    const auto bad = [&]() {
        fail("D_CAST_INVAL", at,
             "invalid cast expression: cannot cast \"" + dt::to_string(value->type) + "\" to \"" + dt::to_string(type) +
                 "\"");
    };
    if (from->kind == TypeKind::Dynamic)
        bad();
    if (to->kind == TypeKind::Void)
        return checker.values.node(TOp::Cast, type, at, {value});
    if (to->kind == TypeKind::String) {
        if (!value->type->is_scalar() && !is_string_compatible(from))
            bad();
        return string_of(value, at, "D_CAST_INVAL");
    }
    if (from->kind == TypeKind::Array && to->kind == TypeKind::Pointer)
        value = checker.values.decay(value);
    else if (!(value->type->is_scalar() && type->is_scalar())) {
        if (from->kind == TypeKind::Stack || !checker.values.compatible(from, to) || to->kind == TypeKind::Array)
            bad();
        return checker.values.node(TOp::Cast, type, at, {value});
    }
    if (to->kind == TypeKind::Pointer && value->type->is_pointer() && to->space == AddressSpace::Kernel &&
        value->type->resolve()->space == AddressSpace::User)
        type = types.pointer_to(to->target, AddressSpace::User,
                                // the cast names only a type, so the result points to the same kind of memory as the
                                // value
                                to->size);
    if (value->op == TOp::Integer)
        return checker.values.integer(value->value, type, at);
    TExpr* made = checker.values.node(TOp::Cast, type, at, {value});
    made->scratch = value->scratch && (to->kind == TypeKind::Pointer || to->size == 8);
    if (made->scratch && to->kind == TypeKind::Pointer)
        made->type = types.pointer_to(to->target, AddressSpace::Scratch);
    return made;
}

TExpr* Expressions::cast_expression(const ast::Expr& e)
{
    here.met_kernel_type = false;
    const Type* type = checker.declarations.type_name(*e.type);
    if (here.met_kernel_type)
        checker.names.touch_attributes(kKernelAttributes, e.at, "type " + dt::to_string(type));
    return cast_to(expr(*e.kids[0]), type, e.at);
}

TExpr* Expressions::string_of(TExpr* value, const Span& at, std::string_view tag)
{
    const Type* type = value->type->resolve();
    if (is_counted_text(type))
        return checker.values.counted_text(value);
    const bool bytes = type->kind == TypeKind::Array && type->target->resolve()->kind == TypeKind::Integer &&
                       type->target->resolve()->size == 1;
    if (type->kind != TypeKind::String && !value->type->is_scalar() && !bytes)
        fail(tag, at, "cannot convert type \"" + dt::to_string(value->type) + "\" to string");
    if (type->kind == TypeKind::String)
        return is_lvalue(value) ? checker.values.node(TOp::StringOf, value->type, at, {value}) : value;
    // stringof(0) reads address 0; it is not the constant NULL, which would delete an element
    if (is_null_constant(value))
        return checker.values.node(TOp::StringOf, types.string(), at,
                                   {checker.values.convert(value, types.pointer_to(types.named("char")))});
    return checker.values.node(TOp::StringOf, bytes ? types.string_of(type->count + 1) : types.string(), at, {value});
}

/// Returns whether `name` is a plain name (without a backquote, and neither self nor this) that has no definition.
bool Names::is_unknown(const std::string& name)
{
    for (const auto& binding : here.frames.back())
        if (binding.first == name)
            return false;
    return name != "self" && name != "this" && name.find('`') == std::string::npos && !find_global(name);
}

TExpr* Expressions::sizeof_expression(const ast::Expr& e)
{
    const Type* type = nullptr;
    uint64_t size = 0;
    if (e.kind == ast::ExprKind::SizeofType) {
        type = checker.declarations.type_name(*e.type);
    } else {
        if (!e.text.empty() && checker.names.is_unknown(e.text))
            fail_unknown("D_UNKNOWN", e.kids[0]->at, e.text, "failed to resolve type " + e.text + ": Unknown type name",
                         std::string(foreign_name(ForeignKind::Type, e.text)));
        const bool outer = std::exchange(here.unevaluated, true);
        TExpr* operand = expr(*e.kids[0]);
        here.unevaluated = outer;
        if (operand->op == TOp::Member && operand->member->bit_size != 0)
            fail("D_SIZEOF_BITFIELD", e.at, "cannot apply sizeof to a bit-field");
        type = operand->type;
        if (operand->op == TOp::String)
            size = (e.kids[0]->kind == ast::ExprKind::String ? e.kids[0]->text : operand->text).size() + 1;
        if (operand->op == TOp::Variable && type->is_pointer() && types.model() == DataModel::Ilp32)
            // D stores a pointer in 8 bytes in an undeclared variable, but its sizeof is the pointer size of the data
            // model
            size = 4;
        if (e.kids[0]->kind == ast::ExprKind::Identifier && e.kids[0]->text.find('`') != std::string::npos)
            size = checker.symbols.symbol_size(e.kids[0]->text, e.at);
    }
    const Type* resolved = type->resolve();
    if (size == 0 && resolved->kind == TypeKind::String)
        size = types.string()->size - 1;
    if (size == 0 && type->is_record())
        if (const Type* complete = checker.names.complete_record(type))
            resolved = complete;
    if (size == 0)
        size = resolved->size;
    if (size == 0 || resolved->kind == TypeKind::Function || resolved->kind == TypeKind::Void ||
        resolved->kind == TypeKind::Dynamic)
        fail("D_SIZEOF_TYPE", e.at,
             "cannot apply sizeof to type \"" + dt::to_string(type) + "\": its size is unknown or zero");
    return checker.values.integer(static_cast<int64_t>(size), types.named("size_t"), e.at);
}

TExpr* Expressions::offsetof_expression(const ast::Expr& e)
{
    const Type* type = checker.declarations.type_name(*e.type);
    if (!type->is_record())
        fail("D_OFFSETOF_TYPE", e.at, "offsetof operand must be a struct or union type");
    const Type* record = checker.names.complete_record(type);
    if (!record)
        fail("D_UNKNOWN", e.at, "no definition of " + dt::to_string(type) + " is available");
    std::vector<const Member*> path;
    if (!find_member(record, e.text, path))
        fail("D_UNKNOWN", e.at, "failed to determine offset of " + e.text + ": Member name not found.");
    uint64_t bits = 0;
    for (const Member* step : path)
        bits += step->bit_offset;
    if (path.back()->bit_size != 0)
        fail("D_OFFSETOF_BITFIELD", e.at, "cannot take offset of a bit-field: " + e.text);
    return checker.values.integer(static_cast<int64_t>(bits / 8), types.named("size_t"), e.at);
}

// Finds bounds of integer expressions from their types, constants and operators. Arithmetic that may overflow has no
// known bounds.

namespace {

std::optional<Interval> interval_of(const Type* type)
{
    type = type->resolve();
    if (!type->is_integer() || type->size == 0 || type->size >= 8)
        return {};
    const int64_t values = int64_t{1} << (8 * type->size);
    return type->is_signed ? Interval{-values / 2, values / 2 - 1} : Interval{0, values - 1};
}

std::optional<Interval> sum(const Interval& a, int64_t low, int64_t high)
{
    Interval result;
    if (__builtin_add_overflow(a.low, low, &result.low) || __builtin_add_overflow(a.high, high, &result.high))
        return {};
    return result;
}

std::optional<Interval> masked(const std::optional<Interval>& a, const std::optional<Interval>& b)
{
    std::optional<Interval> result;
    for (const auto& side : {a, b})
        if (side && side->low >= 0)
            result = Interval{0, result ? std::min(result->high, side->high) : side->high};
    return result;
}

std::optional<Interval> remainder(const TExpr& e, const std::optional<Interval>& a, const std::optional<Interval>& b)
{
    if (!b || b->low <= 0)
        return {};
    const bool positive = !e.is_signed || (a && a->low >= 0);
    return Interval{positive ? 0 : 1 - b->high, b->high - 1};
}

std::optional<Interval> of_operator(const TExpr& e)
{
    const auto a = certain_interval(*e.kids[0]), b = certain_interval(*e.kids[1]);
    switch (e.op) {
    case TOp::BitAnd:
        return masked(a, b);
    case TOp::Modulo:
        return remainder(e, a, b);
    case TOp::Add:
        return a && b ? sum(*a, b->low, b->high) : std::nullopt;
    default:
        return a && b && b->low != INT64_MIN ? sum(*a, -b->high, -b->low) : std::nullopt;
    }
}

} // namespace

std::optional<Interval> certain_interval(const TExpr& e)
{
    switch (e.op) {
    case TOp::Integer:
        return Interval{e.value, e.value};
    case TOp::BitAnd:
    case TOp::Modulo:
    case TOp::Add:
    case TOp::Subtract:
        return of_operator(e);
    case TOp::Cast: {
        const auto from = e.kids[0]->type->is_integer() ? certain_interval(*e.kids[0]) : std::nullopt;
        const auto most = interval_of(e.type);
        return from && (!most || (from->low >= most->low && from->high <= most->high)) ? from : most;
    }
    case TOp::Variable:
        return interval_of(e.variable->stored);
    case TOp::Builtin:
    case TOp::Member:
    case TOp::Deref:
    case TOp::Index:
        return interval_of(e.type);
    case TOp::Not:
        return Interval{0, 1};
    default:
        return is_comparison(e.op) ? std::optional(Interval{0, 1}) : std::nullopt;
    }
}

} // namespace dt::sema
