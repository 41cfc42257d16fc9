// Checks and expands translators (structs whose members are expressions) and inlines (named expressions whose
// parameters are bound to checked arguments): dtrace-language(7), translator, inline. Also defines the names that are
// visible in a body while it is expanded.
#include <algorithm>

#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

/// Limit for nested expansions. Inlines cannot be recursive, but translators can use inlines that use translators.
inline constexpr std::size_t kDeepest = 200;
/// Limit for the number of expansions in one clause or definition. This number may grow exponentially, because each
/// inline may use the previous one twice.
inline constexpr uint32_t kMaxExpansions = 50'000;

/// Names that the body of an inline or translator can use: its parameters and global names. They apply while this
/// object exists.
struct Environment {
    /// Sets the names for a check of the definition. If `use` is given, sets them for an expansion of the definition at
    /// the location `use`.
    Environment(Checker& checker, std::vector<std::pair<std::string, TExpr*>> bindings, const Span& definition,
                const Span* use = nullptr)
        : checker_(checker), expands_(use != nullptr), outer_(checker.here.expands_library)
    {
        checker.here.expands_library = is_of_library(definition);
        checker.here.expanded = use ? checker.here.expanded + 1 : 0;
        if (checker.here.expanded > kMaxExpansions)
            checker.reports.fail("D_UNKNOWN", *use,
                                 "inlines and translators expand to more than " + std::to_string(kMaxExpansions) +
                                     " expressions here");
        checker_.here.frames.push_back(std::move(bindings));
        if (use)
            checker_.here.expansions.push_back(*use);
    }
    ~Environment()
    {
        checker_.here.frames.pop_back();
        checker_.here.expands_library = outer_;
        if (expands_)
            checker_.here.expansions.pop_back();
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    Checker& checker_;
    bool expands_, outer_;
};

/// Returns the checked body of an inline or translator member. Returns null if the body belongs to a built-in library
/// and needs a feature that this kernel lacks; `lacking` then contains the reason. Only a use of the inline or member
/// is then an error, so programs can still use the rest of the library.
inline TExpr* checked_definition(Checker& checker, std::vector<std::pair<std::string, TExpr*>> bindings,
                                 const ast::Expr& body, std::string& lacking)
{
    checker.grammar.check(body);
    checker.here.may_be_missing = checker.here.is_built_in;
    TExpr* value = nullptr;
    try {
        Environment environment(checker, std::move(bindings), body.at);
        value = checker.expressions.expr(body);
    } catch (const MissingFeature& kernel) {
        lacking = kernel.what;
    }
    checker.here.may_be_missing = false;
    return value;
}

namespace {

/// Returns the member with this name, or null. It may belong to an anonymous struct or union inside the structure.
const Member* member_named(const Type* record, std::string_view name)
{
    std::vector<const Member*> path;
    return find_member(record, name, path) ? path.back() : nullptr;
}

} // namespace

void Translators::define_translator(const ast::Translator& definition)
{
    const Type* output = checker.declarations.type_name(*definition.output, "D_SYNTAX");
    const Type* input = checker.declarations.type_name(*definition.input, "D_SYNTAX");
    const Type* record = output->is_record() ? checker.names.complete_record(output) : nullptr;
    if (!record)
        fail("D_XLATE_SOU", definition.at,
             "translator output type must be a struct or union: " + dt::to_string(output));
    for (const auto& known : translators_)
        if (known->output->resolve() == record && known->input->resolve() == input->resolve() &&
            (here.in_library() == known->of_library || known->used))
            fail("D_XLATE_REDECL", definition.at,
                 "translator from " + dt::to_string(input) + " to " + dt::to_string(output) +
                     " has already been declared");
    auto made = std::make_unique<TranslatorDefinition>();
    made->ast = &definition;
    made->output = output;
    made->input = input;
    made->of_library = here.in_library();
    const Attributes outer = std::exchange(here.attributes, kMaximum);
    // Members of a translator are checked where it is defined. Each use expands a member again, with the input of that
    // use.
    TExpr* parameter = checker.values.node(TOp::Builtin, input, definition.at);
    for (const ast::TranslatorMember& member : definition.members)
        define_member(*made, record, member, parameter);
    made->attributes = minimum(here.attributes, {Stability::Stable, Stability::Stable, DependencyClass::Common});
    here.attributes = outer;
    for (auto pending = here.pending_pragmas.begin(); pending != here.pending_pragmas.end(); ++pending)
        if (pending->name == "translator") {
            made->attributes = pending->attributes.value_or(made->attributes);
            here.pending_pragmas.erase(pending);
            break;
        }
    translators_.push_back(std::move(made));
}

/// Defines a member of a translator. If a member of a built-in translator needs a feature that the kernel lacks, only
/// this member is unusable.
void Translators::define_member(TranslatorDefinition& made, const Type* record, const ast::TranslatorMember& member,
                                TExpr* parameter)
{
    const Member* target = member_named(record, member.name);
    if (!target)
        fail("D_XLATE_MEMB", member.at,
             "translator member " + member.name + " is not a member of " + dt::to_string(made.output));
    std::string lacking;
    TExpr* value = checked_definition(checker, {{made.ast->parameter, parameter}}, *member.value, lacking);
    if (!value) {
        made.lacking.emplace(member.name, std::move(lacking));
        return;
    }
    const DynamicValue* object = checker.values.dynamic(value);
    if (!(object && object->translator) && !member_argument(value, target->type))
        fail("D_XLATE_INCOMPAT", member.at,
             "translator member " + member.name + " definition uses incompatible types: \"" +
                 dt::to_string(target->type) + "\" = \"" + dt::to_string(value->type) + "\"");
}

/// Converts a member's expression to the declared type; char arrays accept strings and other char arrays.
TExpr* Translators::member_argument(TExpr* value, const Type* type)
{
    if (is_char_array(type) && is_string_compatible(value->type))
        return value->type->resolve()->kind == TypeKind::Array ? value : checker.values.to_string_value(value);
    return checker.values.argument(value, type);
}

const TranslatorDefinition* Translators::find_translator(const Type* output, const Type* input)
{
    // How well a translator's input type fits the argument. If several translators fit equally well, a program uses its
    // own one, and a library the library's.
    enum Fit { Compatible, Resolved, Same };
    const TranslatorDefinition* best = nullptr;
    std::pair<Fit, bool> best_fit{Compatible, false};
    const auto consider = [&](const TranslatorDefinition& known, Fit fit) {
        const std::pair of_known{fit, known.of_library == here.in_library()};
        if (best && (of_known < best_fit || (of_known == best_fit && fit == Same)))
            return;
        best = &known;
        best_fit = of_known;
    };
    for (const auto& known : translators_) {
        if (known->output->resolve() != output->resolve() && !checker.values.compatible(known->output, output))
            continue;
        if (known->input == input)
            consider(*known, Same);
        else if (known->input->resolve() == input->resolve())
            consider(*known, Resolved);
        TExpr probe;
        probe.op = TOp::Builtin;
        probe.type = input;
        const bool scalars = known->input->is_integer() && input->is_integer();
        if (scalars || checker.values.compatible(known->input, input) ||
            (known->input->is_pointer() && input->is_pointer() && checker.values.argument(&probe, known->input)))
            consider(*known, Compatible);
    }
    return best;
}

TExpr* Translators::translate(const Type* output, bool pointer, TExpr* input, const Span& at)
{
    const TranslatorDefinition* found = find_translator(output, input->type);
    if (!found && input->type->resolve()->kind == TypeKind::Array) {
        input = checker.values.decay(input);
        found = find_translator(output, input->type);
    }
    if (!found && failed_)
        throw Failure{"D_XLATE_NONE"}; // the translator's definition had an error, which was already reported
    if (!found)
        fail("D_XLATE_NONE", at,
             "translator from " + dt::to_string(input->type) + " to " + dt::to_string(output) + " is not defined");
    TExpr* converted = checker.values.argument(input, found->input);
    DynamicValue value;
    value.translator = found;
    found->used |= !here.in_library();
    value.input = converted ? converted : input;
    value.pointer = pointer;
    return checker.values.dynamic_node(value, at);
}

TExpr* Translators::xlate(const ast::Expr& e)
{
    const Type* type = checker.declarations.type_name(*e.type);
    const bool pointer = type->is_pointer();
    const Type* output = pointer ? type->resolve()->target : type;
    return translate(output, pointer, checker.expressions.expr(*e.kids[0]), e.at);
}

TExpr* Translators::translated_member(const DynamicValue& object, const std::string& name, const Span& at)
{
    const TranslatorDefinition& translator = *object.translator;
    const AssignedOnce input = checker.assignments.once(object.input);
    const Type* record = checker.names.complete_record(translator.output);
    const Member* declared = member_named(record, name);
    if (!declared)
        fail("D_TYPE_MEMBER", at, name + " is not a member of " + dt::to_string(translator.output),
             checker.names.suggest_member(record, name));
    if (const auto lack = translator.lacking.find(name); lack != translator.lacking.end()) {
        if (here.may_be_missing)
            throw MissingFeature{lack->second};
        fail("D_XLATE_NOCONV", at,
             name + " of " + dt::to_string(translator.output) + " is not available on this kernel, which has " +
                 lack->second);
    }
    for (const ast::TranslatorMember& member : translator.ast->members) {
        if (member.name != name)
            continue;
        if (here.frames.size() > kDeepest)
            fail("D_UNKNOWN", at, "translators are nested too deeply");
        const Attributes outer = here.attributes;
        TExpr* value = nullptr;
        {
            Environment environment(checker, {{translator.ast->parameter, input.value}}, translator.ast->at, &at);
            value = checker.expressions.expr(*member.value);
        }
        here.attributes = outer;
        checker.names.touch_attributes(translator.attributes, at, "translator member " + name);
        if (DynamicValue* inner = checker.values.dynamic(value); inner && inner->translator) {
            inner->input = checker.assignments.after(input.store, inner->input);
            return value;
        }
        TExpr* converted = member_argument(value, declared->type);
        return checker.assignments.after(input.store, converted ? converted : value);
    }
    fail("D_XLATE_NOCONV", at, "translator does not define conversion for member: " + name);
}

bool Translators::defines(const TranslatorDefinition& translator, const Member& member)
{
    if (member.name.empty())
        return std::any_of(member.type->resolve()->members().begin(), member.type->resolve()->members().end(),
                           [&](const Member& inner) { return defines(translator, inner); });
    return !translator.lacking.count(member.name) &&
           std::any_of(translator.ast->members.begin(), translator.ast->members.end(),
                       [&](const ast::TranslatorMember& candidate) { return candidate.name == member.name; });
}

/// Returns an expression that first evaluates `chain`. Then it copies each member of `record` from the translated
/// `object` to `target`.
TExpr* Translators::store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain,
                                  const Span& at)
{
    const bool is_union = record->kind == TypeKind::Union;
    const bool any = std::any_of(record->members().begin(), record->members().end(),
                                 [&](const Member& member) { return defines(*object.translator, member); });
    for (const Member& member : record->members()) {
        const bool defined = defines(*object.translator, member);
        if (is_union && any && !defined)
            // Other members of the union are not set to 0, because that would overwrite the translated one.
            continue;
        TExpr* place = checker.values.node(TOp::Member, member.type, at, {target});
        place->member = &member;
        if (member.name.empty()) {
            chain = store_members(place, member.type->resolve(), object, chain, at);
            continue;
        }
        TExpr* value =
            defined ? translated_member(object, member.name, at) : checker.values.integer(0, types.named("int"), at);
        if (const DynamicValue* inner = checker.values.dynamic(value); inner)
            value = checker.values.integer(0, types.named("int"), at);
        TExpr* converted = checker.values.argument(value, member.type);
        TExpr* store = checker.values.node(TOp::Assign, member.type, at, {place, converted ? converted : value});
        chain = chain ? checker.values.node(TOp::Comma, store->type, at, {chain, store}) : store;
    }
    return chain;
}

/// Stores a translated struct in a variable, member by member. Members that the translator does not define become 0.
TExpr* Translators::translated_copy(TExpr* target, const DynamicValue& source, const Span& at)
{
    DynamicValue object = source;
    const AssignedOnce input = checker.assignments.once(object.input);
    object.input = input.value;
    TExpr* chain = input.store;
    target = checker.assignments.settled(target, chain);
    chain = store_members(target, checker.names.complete_record(target->type), object, chain, at);
    return chain ? chain : checker.values.integer(0, types.named("int"), at);
}

void Inlines::define_inline(const ast::Inline& definition)
{
    const ast::Declarator& declarator = *definition.declarator;
    const std::string& name = declarator.name;
    if (definition.spec->storage != ast::StorageClass::None)
        fail("D_DECL_BADCLASS", definition.at, "specified storage class not appropriate for inline declaration");
    if (name.find('`') != std::string::npos)
        fail("D_DECL_SCOPE", definition.at, "D scoping operator may not be used in a declaration name (" + name + ")");
    auto made = std::make_unique<InlineDefinition>();
    made->ast = &definition;
    const Type* base = checker.declarations.spec_type(*definition.spec);
    std::size_t first = 0;
    if (!declarator.parts.empty()) {
        const ast::DeclPart& part = declarator.parts.front();
        if (part.kind == ast::DeclPart::Kind::Array)
            fail("D_DECL_ARRNULL", definition.at, "inline declaration requires array tuple: " + name);
        if (part.kind == ast::DeclPart::Kind::Associative) {
            if (part.parameters.empty())
                fail("D_DECL_ARRNULL", definition.at, "inline declaration requires array tuple: " + name);
            const std::vector<const Type*> parameters =
                checker.declarations.parameter_types(part.parameters, part.variadic, true);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                made->parameters.push_back({part.parameters[i].declarator->name, parameters[i]});
            first = 1;
        }
    }
    made->type = checker.declarations.declarator_type(base, declarator, first);
    if (made->type->resolve()->kind == TypeKind::Void)
        fail("D_DECL_VOIDOBJ", definition.at, "cannot declare inline of type void: " + name);
    if (made->type->is_record() && !checker.names.complete_record(made->type))
        fail("D_DECL_INCOMPLETE", definition.at,
             "incomplete struct/union/enum " + dt::to_string(made->type) + ": " + name);
    if (checker.names.find_fixed_global(name) || checker.names.find_fixed_typedef(name))
        fail("D_DECL_IDRED", definition.at, "inline redefined: " + name);

    std::vector<std::pair<std::string, TExpr*>> bindings;
    // While the definition is checked, each parameter has a placeholder instead of an argument.
    for (const InlineParameter& parameter : made->parameters)
        bindings.emplace_back(parameter.name, checker.values.node(TOp::Builtin, parameter.type, definition.at));
    const Attributes outer = std::exchange(here.attributes, kMaximum);
    // feature that the definition needs and this kernel lacks; uses of the inline then cause an error
    std::string lacking;
    TExpr* value = checked_definition(checker, std::move(bindings), *definition.value, lacking);
    made->attributes = minimum(here.attributes, {Stability::Stable, Stability::Stable, DependencyClass::Common});
    here.attributes = outer;
    const DynamicValue* object = value ? checker.values.dynamic(value) : nullptr;
    const bool translated = object && object->translator;
    if (value && !translated && !checker.values.argument(value, made->type))
        fail("D_OP_INCOMPAT", definition.at,
             "inline " + name + " definition uses incompatible types: \"" + dt::to_string(made->type) + "\" = \"" +
                 dt::to_string(value->type) + "\"");
    if (value && value->op == TOp::Integer && value->type->is_integer() && made->type->is_integer() &&
        made->parameters.empty())
        made->constant = checker.values.integer(value->value, made->type, definition.at);

    Global global;
    global.kind = Global::Kind::Inline;
    global.name = name;
    global.definition = made.get();
    global.at = definition.at;
    inlines_.push_back(std::move(made));
    checker.names.define_global(std::move(global));
}

TExpr* Inlines::expand_inline(Global& global, std::vector<TExpr*> values, const Span& at)
{
    const InlineDefinition& definition = *global.definition;
    checker.names.touch_attributes(global.attributes.value_or(definition.attributes), at, "inline " + global.name);
    const Attributes own = here.attributes;
    if (definition.constant) {
        TExpr* made = checker.values.integer(definition.constant->value, definition.type, at);
        return made;
    }
    if (here.frames.size() > kDeepest)
        fail("D_UNKNOWN", at, "inlines are nested too deeply");
    std::vector<std::pair<std::string, TExpr*>> bindings;
    TExpr* stores = nullptr;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const AssignedOnce argument = checker.assignments.once(values[i]);
        bindings.emplace_back(definition.parameters[i].name, argument.value);
        if (argument.store)
            stores = stores ? checker.values.node(TOp::Comma, argument.store->type, at, {stores, argument.store})
                            : argument.store;
    }
    TExpr* value = nullptr;
    {
        Environment environment(checker, std::move(bindings), definition.ast->at, &at);
        value = checker.expressions.expr(*definition.ast->value);
    }
    // A use of an inline gets the stability attributes of the inline itself, not those of the names in its definition.
    here.attributes = own;
    if (DynamicValue* object = checker.values.dynamic(value); object && object->translator) {
        object->input = checker.assignments.after(stores, object->input);
        return value;
    }
    if (value->op == TOp::Variable && checker.values.compatible(value->type, definition.type))
        return value; // another name of the variable: assigning to it assigns to the variable
    TExpr* converted = checker.values.argument(value, definition.type);
    if (!converted)
        fail("D_OP_INCOMPAT", at, "inline " + global.name + " has incompatible type");
    return checker.assignments.after(stores, converted);
}

} // namespace dt::sema
