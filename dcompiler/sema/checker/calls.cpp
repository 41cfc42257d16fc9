// Checks expressions that have a prototype: calls of subroutines and actions, subscripts of associative arrays and
// inlines, args[] and uregs[]. The prototypes of builtins.def are parsed here at their first use.
#include "dcompiler/sema/checker/calls.hpp"

#include <algorithm>

#include "dcompiler/sema/checker/checker.hpp"
#include "machine/machine.hpp"

namespace dt::sema {

namespace {

std::string passed(std::size_t count, const char* unit)
{
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s") + " passed, ";
}

[[gnu::noinline]] void check_count(Checker& checker, std::string_view name, const Prototype& prototype,
                                   std::size_t count, const Span& at)
{
    const std::size_t most = prototype.parameters.size();
    if (count >= prototype.required && (count <= most || prototype.variadic))
        return;
    const bool exact = prototype.required == most && !prototype.variadic;
    const std::string bound = exact ? "" : count < prototype.required ? "at least " : "at most ";
    const std::size_t expected = count < prototype.required ? prototype.required : most;
    checker.reports.fail("D_PROTO_LEN", at,
                         std::string(name) + "( ) prototype mismatch: " + passed(count, "arg") + bound +
                             std::to_string(expected) + " expected");
}

/// Returns the type of a parameter as messages print it: without const.
std::string parameter_text(const Prototype::Parameter& parameter)
{
    return parameter.type.compare(0, 6, "const ") == 0 ? parameter.type.substr(6) : parameter.type;
}

[[noreturn, gnu::noinline]] void bad_argument(Checker& checker, std::string_view name, std::size_t number,
                                              const Prototype& prototype, const TExpr* value, const ast::Expr& ast)
{
    const Prototype::Parameter& parameter = prototype.parameters[number - 1];
    std::string hint;
    if (value->type->is_string() && parameter.type == "uintptr_t" && prototype.result == "string")
        hint = (ast.kind == ast::ExprKind::Identifier ? ast.text : "the argument") +
               " is already a string: use it directly";
    else if (value->type->is_pointer() && parameter.type == "uintptr_t")
        hint = "cast the pointer: (uintptr_t)";
    else if (parameter.type == "string" || parameter.type == "const char *")
        hint = text_hint(value->type, value);
    checker.reports.fail("D_PROTO_ARG", value->at,
                         std::string(name) + "( ) argument #" + std::to_string(number) +
                             " is incompatible with prototype:\n\tprototype: " + parameter_text(parameter) +
                             "\n\t argument: " + dt::to_string(value->type),
                         std::move(hint));
}

} // namespace

/// Recognizes stack(waker) and ustack(waker, 5). They record the frames of the thread that woke the current one;
/// `waker` is a keyword here and not a value.
bool Calls::is_of_waker(const ast::Expr& call)
{
    if (call.kids.size() < 2 || call.kids[1]->kind != ast::ExprKind::Identifier)
        return false;
    const Global* function = checker.names.find_global(call.kids[0]->text);
    const Global* argument = checker.names.find_global(call.kids[1]->text);
    return function && function->kind == Global::Kind::Action && function->action->has(kStack) && argument &&
           argument->builtin && argument->builtin->role == VariableRole::Waker;
}

/// Returns the action that records the waker's frames, given the action that records those of the current thread.
Global* Calls::of_waker(const Action& own)
{
    for (const Action& other : actions())
        if (other.has(kOfWaker) && other.has(kOfProcess) == own.has(kOfProcess))
            return checker.names.find_global(std::string(other.name));
    return nullptr;
}

Global& Calls::callee(const ast::Expr& e)
{
    const ast::Expr& function = *e.kids[0];
    if (function.kind != ast::ExprKind::Identifier || function.text.find('`') != std::string::npos)
        fail("D_FUNC_IDENT", e.at, "function designator is not of function type");
    Global* global = checker.names.find_global(function.text);
    if (!global)
        fail("D_FUNC_UNDEF", e.at, "undefined function name: " + function.text,
             checker.names.suggest_function(function.text));
    const auto kind = global->kind;
    if (kind != Global::Kind::Subroutine && kind != Global::Kind::Action && kind != Global::Kind::AggFunction &&
        kind != Global::Kind::Function)
        fail("D_FUNC_IDKIND", e.at, "call to " + function.text + "( ): it is a variable, not a function");
    if (kind == Global::Kind::Function)
        fail("D_FUNC_UNDEF", e.at, "undefined function name: " + function.text,
             "kernel functions cannot be called from D");
    if (is_of_waker(e))
        return *of_waker(*global->action);
    return *global;
}

std::vector<TExpr*> Calls::arguments(std::string_view name, const Prototype& prototype, const ast::Expr& call,
                                     bool convert, bool recorded)
{
    const std::size_t first = is_of_waker(call) ? 2 : 1, count = call.kids.size() - first;
    check_count(checker, name, prototype, count, call.at);
    std::vector<TExpr*> values;
    for (std::size_t i = 0; i < count; ++i) {
        here.recorded = recorded;
        values.push_back(checker.expressions.expr(*call.kids[i + first]));
    }
    for (std::size_t i = 0; i < count && i < prototype.parameters.size(); ++i) {
        const Prototype::Parameter& parameter = prototype.parameters[i];
        if (parameter.type.empty())
            continue;
        const bool text = parameter.type == "const char *" || parameter.type == "char *";
        const Type* type = text ? types.string() : checker.names.type_text(parameter.type);
        if (!type)
            fail("D_UNKNOWN", call.at,
                 std::string(name) + "( ): failed to resolve " + parameter.type + ": Unknown type name");
        TExpr* converted = checker.values.argument(values[i], type);
        if (!converted)
            bad_argument(checker, name, i + 1, prototype, values[i], *call.kids[i + first]);
        if (convert)
            values[i] = converted;
    }
    return values;
}

namespace {

/// Reports an error: an expression contains a subroutine whose result is a text that only the consumer knows.
[[noreturn]] void refuse_unknown_text(Checker& checker, const std::string& name, const Span& at)
{
    checker.reports.fail(
        "D_CG_EXPR", at,
        "the result of " + name + "( ) may not be used in a D expression: its text is only known when it is printed",
        "record it, as in printf(\"%s\", " + name + "(…)) or @[" + name + "(…)]; in expressions, use the number");
}

} // namespace

TExpr* Calls::call(const ast::Expr& e)
{
    const bool addresses = std::exchange(here.addresses_allowed, false), recorded = std::exchange(here.recorded, false);
    Global& global = callee(e);
    if (global.kind == Global::Kind::Subroutine) {
        const Subroutine& subroutine = *global.subroutine;
        const Prototype& proto = checker.prototypes.of(subroutine.prototype);
        checker.names.touch_attributes(global.attributes.value_or(subroutine.attributes), e.at,
                                       "function " + global.name);
        TExpr* made = checker.values.node(TOp::Call, nullptr, e.at, arguments(global.name, proto, e));
        made->subroutine = &subroutine;
        made->type = checker.names.type_text(proto.result);
        if (!made->type)
            fail("D_UNKNOWN", e.at, global.name + "( ): failed to resolve " + proto.result + ": Unknown type name");
        if (!subroutine.why_refused.empty())
            defer("D_FUNC_UNDEF", e.at, "unimplemented subroutine: " + global.name,
                  std::string(subroutine.why_refused));
        if (subroutine.has(kDestructive) && here.statement && !here.unevaluated)
            here.statement->note_destructive(subroutine.name);
        if (subroutine.has(kOnlyRecorded) && !recorded && !here.unevaluated)
            refuse_unknown_text(checker, global.name, e.at);
        if (subroutine.check)
            subroutine.check(checker, *made);
        return made;
    }
    if (global.kind == Global::Kind::AggFunction) {
        arguments(global.name, checker.prototypes.of(global.agg_function->prototype), e);
        defer("D_CG_EXPR", e.at,
              "aggregating function " + global.name +
                  "( ) may not be called from a D expression (D program context required)",
              "assign it to an aggregation: @ = " + global.name + "(...)");
        return checker.values.node(TOp::Integer, types.void_type(), e.at);
    }
    const Action& action = *global.action;
    const Prototype& proto = checker.prototypes.of(action.prototype);
    TExpr* made =
        checker.values.node(TOp::Address, nullptr, e.at, arguments(global.name, proto, e, !action.has(kStack)));
    made->action = &action;
    made->type = checker.names.type_text(proto.result);
    if (!action.why_refused.empty())
        defer("D_UNKNOWN", e.at, global.name + "() is not implemented (yet)", std::string(action.why_refused));
    const bool stack = made->type == types.stack();
    if (!stack && !(addresses && action.has(kAddress)))
        defer("D_CG_EXPR", e.at,
              "tracing function " + global.name +
                  "( ) may not be called from a D expression (D program context required)");
    if (stack && action.check) {
        // The check function of an action requires a statement. An action that is used as a value follows the same
        // rules, so a statement is made for the check.
        TStmt* probe = program.stmt();
        probe->kind = TStmtKind::Action;
        probe->at = e.at;
        probe->action = &action;
        probe->args = made->kids;
        action.check(checker, *probe);
        made->kids = probe->args;
    }
    return made;
}

std::vector<TExpr*> Calls::keys(const std::string& name, const std::vector<const Type*>& key_types, const ast::Expr& e)
{
    const std::size_t count = e.kids.size() - 1;
    if (count != key_types.size())
        fail("D_PROTO_LEN", e.at,
             name + "[ ] prototype mismatch: " + passed(count, "key") + std::to_string(key_types.size()) + " expected");
    std::vector<TExpr*> values;
    for (std::size_t i = 0; i < count; ++i) {
        TExpr* value = checker.expressions.expr(*e.kids[i + 1]);
        const TypeKind kind = value->type->resolve()->kind;
        if (kind == TypeKind::Void || kind == TypeKind::Dynamic)
            fail("D_KEY_TYPE", value->at,
                 name + "[ ] key #" + std::to_string(i + 1) + " may not be of type " + dt::to_string(value->type));
        TExpr* converted = checker.values.argument(value, key_types[i]);
        if (!converted)
            fail("D_PROTO_ARG", value->at,
                 name + "[ ] key #" + std::to_string(i + 1) + " is incompatible with prototype:\n\tprototype: " +
                     dt::to_string(key_types[i]) + "\n\t     key: " + dt::to_string(value->type));
        values.push_back(converted);
    }
    return values;
}

TExpr* Expressions::index(const ast::Expr& e)
{
    const ast::Expr& base = *e.kids[0];
    if (base.kind == ast::ExprKind::Aggregation)
        return checker.aggregations.aggregation_reference(e);
    if (base.kind == ast::ExprKind::Index && base.kids[0]->kind == ast::ExprKind::Aggregation)
        fail("D_AGG_MDIM", e.at,
             "improper attempt to reference @" + base.kids[0]->text + " as a multi-dimensional array");
    const bool scoped = base.kind == ast::ExprKind::Self || base.kind == ast::ExprKind::This;
    const bool plain = base.kind == ast::ExprKind::Identifier && base.text.find('`') == std::string::npos;
    if (scoped || plain) {
        bool bound = false;
        for (const auto& binding : here.frames.back())
            bound |= plain && binding.first == base.text;
        const Scope scope = base.kind == ast::ExprKind::Self   ? Scope::Self
                            : base.kind == ast::ExprKind::This ? Scope::This
                                                               : Scope::Global;
        const std::string name = (scope == Scope::Self ? "self->" : scope == Scope::This ? "this->" : "") + base.text;
        Global* global = plain && !bound ? checker.names.find_global(base.text) : nullptr;
        const BuiltinVariable* builtin = global && global->kind == Global::Kind::Builtin ? global->builtin : nullptr;
        if (builtin && builtin->is_array())
            return builtin->role == VariableRole::Arguments ? args_element(*builtin, e) : uregs_element(*builtin, e);
        if (global && global->kind == Global::Kind::Inline && !global->definition->parameters.empty()) {
            std::vector<const Type*> parameter_types;
            for (const InlineParameter& parameter : global->definition->parameters)
                parameter_types.push_back(parameter.type);
            return checker.inlines.expand_inline(*global, checker.calls.keys(name, parameter_types, e), e.at);
        }
        Variable* known = bound ? nullptr : checker.names.find_variable_of(scope, base.text);
        if (!known && !bound && (scoped || !global))
            fail_unknown("D_VAR_UNDEF", base.at, name, name + "[ ] has not yet been declared or assigned",
                         scoped ? checker.names.suggest_scoped_variable(scope, base.text)
                                : checker.names.suggest_variable(base.text, base.at));
        if (known && !known->keys.empty()) {
            checker.names.touch_attributes({}, e.at, "array " + name);
            return variable(*known, checker.calls.keys(name, known->keys, e), e.at);
        }
    }
    TExpr* object = expr(base);
    const TypeKind kind = object->type->resolve()->kind;
    if (e.kids.size() > 2) {
        if (kind == TypeKind::Array || kind == TypeKind::Pointer || kind == TypeKind::String)
            fail("D_ARR_BADREF", e.at, "cannot access " + dt::to_string(object->type) + " as an associative array");
        fail("D_DEREF_NONPTR", e.at, "cannot dereference non-pointer type " + dt::to_string(object->type));
    }
    return subscript(object, expr(*e.kids[1]), e.at);
}

// ---- checks of args[] and uregs[] ---------------------------------------------------------------------------------

namespace {

/// Returns the value of n in args[n] or uregs[n]. Reports an error unless it is an integer constant.
int64_t constant_subscript(Checker& checker, const std::string& name, const ast::Expr& e)
{
    if (e.kids.size() != 2)
        checker.reports.fail("D_PROTO_LEN", e.at,
                             name + "[ ] prototype mismatch: " + passed(e.kids.size() - 1, "arg") + "1 expected");
    TExpr* index = checker.expressions.expr(*e.kids[1]);
    if (index->op != TOp::Integer || !index->type->is_integer())
        checker.reports.fail(
            "D_PROTO_ARG", e.at,
            name + "[ ] argument #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: " +
                dt::to_string(index->type));
    return index->value;
}

} // namespace

void Expressions::require_arguments(const Span& at)
{
    if (!here.statement)
        fail("D_ARGS_NONE", at, "args[ ] may not be referenced outside of a probe clause");
    if (!here.statement->arguments_known)
        fail("D_ARGS_MULTI", at,
             "args[ ] may not be referenced because probe description " + here.statement->description +
                 " matches an unstable set of probes",
             "use arg0, arg1, … or a description that names one provider and probe");
}

TExpr* Expressions::args_element(const BuiltinVariable& array, const ast::Expr& e)
{
    const int64_t number = constant_subscript(checker, "args", e);
    require_arguments(e.at);
    const Probe& probe = *here.statement->probes.front();
    const ProbeSignature& signature = world.probes().signature(probe);
    if (number < 0 || static_cast<uint64_t>(number) >= signature.arguments.size())
        fail("D_ARGS_IDX", e.at,
             "index " + std::to_string(number) + " is out of range for " + probe.full_name() + " args[ ]",
             signature.untyped);
    return argument_value(array, static_cast<std::size_t>(number), e.at);
}

const BuiltinVariable* Expressions::builtin_with(VariableRole role, const ast::Expr& e)
{
    const auto& bound = here.frames.back();
    if (e.kind != ast::ExprKind::Identifier || e.text.find('`') != std::string::npos ||
        std::any_of(bound.begin(), bound.end(), [&](const auto& binding) { return binding.first == e.text; }))
        return nullptr;
    const Global* const global = checker.names.find_global(e.text);
    const bool has_role = global && global->kind == Global::Kind::Builtin && global->builtin->role == role;
    return has_role ? global->builtin : nullptr;
}

TExpr* Expressions::args_named(const BuiltinVariable& array, const ast::Expr& e)
{
    require_arguments(e.at);
    const Probe& probe = *here.statement->probes.front();
    const ProbeSignature& signature = world.probes().signature(probe);
    const std::vector<ProbeArgument>& arguments = signature.arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const ProbeArgument& argument) { return argument.name == e.text; });
    if (found != arguments.end())
        return argument_value(array, static_cast<std::size_t>(found - arguments.begin()), e.at);
    if (TExpr* const parameter = parameter_here(e.text, e.at))
        return parameter;
    std::string names;
    for (const ProbeArgument& argument : arguments)
        if (!argument.name.empty())
            names += (names.empty() ? "" : ", ") + argument.name;
    fail("D_ARGS_NAME", e.at, "no argument of " + probe.full_name() + " is named " + e.text,
         !names.empty()               ? "its named arguments are " + names
         : !signature.untyped.empty() ? signature.untyped
         : arguments.empty()          ? "the probe has no arguments"
                                      : "its arguments have no names: use args[0], args[1], …");
}

/// Returns the value of an argument as D sees it: strings are converted to D strings. If the provider declares another
/// type for D, the value is translated or converted to this type.
TExpr* Expressions::argument_value(const BuiltinVariable& array, std::size_t number, const Span& at)
{
    const Probe& probe = *here.statement->probes.front();
    const ProbeArgument& declared = world.probes().signature(probe).arguments[number];
    const std::string place = "args[" + std::to_string(number) + "]";
    if (!declared.refusal.empty())
        fail("D_ARGS_TYPE", at, place + " of " + probe.full_name() + " cannot be read: " + declared.refusal);
    const Type* native = declared.type
                             ? declared.type(types)
                             : checker.names.type_text((declared.userland ? "userland " : "") + declared.native);
    if (!native)
        fail("D_ARGS_TYPE", at, "failed to resolve native type for " + place + ": " + declared.native);
    checker.names.touch_attributes(probe.attributes ? probe.attributes->args : Attributes{}, at, place);
    TExpr* raw = checker.values.node(TOp::Builtin, native, at);
    raw->builtin = &array;
    raw->value = static_cast<int64_t>(number);
    if (native->is_string()) { // the raw argument is the address of the string
        raw->type =
            types.pointer_to(types.named("char"), declared.userland ? AddressSpace::User : AddressSpace::Kernel);
        return string_of(raw, at, "D_ARGS_TYPE");
    }
    if (native->resolve()->kind == TypeKind::Array ||
        (native->is_record() && declared.form == StructureForm::Address)) {
        // the raw argument is the address of the array or of the structure
        raw->type = types.pointer_to(native, declared.userland ? AddressSpace::User : AddressSpace::Kernel);
        raw = checker.values.node(TOp::Deref, native, at, {raw});
    }
    if (native->is_record() && is_counted_text(native) && !is_byte_slice(native) && !has_variants(native) &&
        !is_go_interface(native))
        return checker.values.counted_text(raw);
    if (declared.translated.empty() || declared.translated == declared.native)
        return raw;
    const Type* translated = checker.names.type_text(declared.translated);
    if (!translated)
        fail("D_ARGS_TYPE", at, "failed to resolve translated type for " + place + ": " + declared.translated);
    if (checker.translators.find_translator(translated->is_pointer() ? translated->resolve()->target : translated,
                                            native))
        return checker.translators.translate(translated->is_pointer() ? translated->resolve()->target : translated,
                                             translated->is_pointer(), raw, at);
    if (translated->is_string() && is_string_compatible(native))
        return string_of(raw, at, "D_ARGS_TYPE");
    TExpr* converted = checker.values.argument(raw, translated);
    if (!converted)
        fail("D_ARGS_XLATOR", at,
             "translator for " + place + " from " + dt::to_string(native) + " to " + dt::to_string(translated) +
                 " is not defined");
    return converted;
}

TExpr* Expressions::uregs_element(const BuiltinVariable& array, const ast::Expr& e)
{
    const int64_t number = constant_subscript(checker, "uregs", e);
    if (number < 0)
        fail("D_REGS_IDX", e.at, "uregs[ ] index " + std::to_string(number) + " is negative");
    if (number >= int64_t{checker.world.machine().registers.count})
        defer("D_UNKNOWN", e.at, "uregs[]: index out of bounds (" + std::to_string(number) + ")");
    checker.names.touch_attributes({}, e.at, "array uregs");
    TExpr* made = checker.values.node(TOp::Builtin, types.named("uint64_t"), e.at);
    made->builtin = &array;
    made->value = number;
    return made;
}

// Parses prototypes such as "string (string, int, [int])": first the result, then the parameters. Brackets enclose
// optional parameters, "@" is any expression or an aggregation, and "..." allows more arguments.

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

Prototype parse_prototype(std::string_view text)
{
    Prototype made;
    const std::size_t open = text.find('(');
    made.result = trimmed(text.substr(0, open));
    std::string_view list = text.substr(open + 1, text.rfind(')') - open - 1);
    while (!trimmed(list).empty()) {
        const std::size_t comma = list.find(',');
        std::string_view parameter = trimmed(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
        if (parameter == "...") {
            made.variadic = true;
            continue;
        }
        Prototype::Parameter entry;
        if (parameter.front() == '[') {
            entry.optional = true;
            parameter = parameter.substr(1, parameter.size() - 2);
        }
        if (parameter != "@")
            entry.type = parameter;
        made.required += entry.optional ? 0 : 1;
        made.parameters.push_back(std::move(entry));
    }
    return made;
}

} // namespace

const Prototype& Prototypes::of(std::string_view text)
{
    const auto found = parsed_.find(text);
    return found != parsed_.end() ? found->second
                                  : parsed_.emplace(std::string(text), parse_prototype(text)).first->second;
}

} // namespace dt::sema
