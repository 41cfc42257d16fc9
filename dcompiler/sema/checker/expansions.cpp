// Checks and expands translators: structs whose members are expressions, expanded where a member is used
// (dtrace-language(7), translator).
#include "dcompiler/sema/environment.hpp"

#include <algorithm>

namespace dt::sema {

namespace {

/// Returns the member, which may be one of an anonymous struct or union in the record, or null.
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
    // Members are checked at the definition; each use expands them again with its own input.
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

/// Defines a member. If the kernel lacks something that a member of a built-in translator needs, the other members stay
/// usable.
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
    // Of two equally good translators, a program prefers its own, and a library its own.
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
        throw Failure{"D_XLATE_NONE"}; // the error may already have been reported for the failed translator
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
    const Once input = checker.assignments.once(object.input);
    const Type* record = checker.names.complete_record(translator.output);
    const Member* declared = member_named(record, name);
    if (!declared)
        fail("D_TYPE_MEMBER", at, name + " is not a member of " + dt::to_string(translator.output),
             checker.names.meant_member(record, name));
    if (const auto lack = translator.lacking.find(name); lack != translator.lacking.end()) {
        if (here.may_lack)
            throw Lacking{lack->second};
        fail("D_XLATE_NOCONV", at,
             name + " of " + dt::to_string(translator.output) + " cannot be had on this kernel, which has " +
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

/// Stores the members of one record into `target`, after the stores in `chain`.
TExpr* Translators::store_members(TExpr* target, const Type* record, const DynamicValue& object, TExpr* chain,
                                  const Span& at)
{
    const bool is_union = record->kind == TypeKind::Union;
    const bool any = std::any_of(record->members().begin(), record->members().end(),
                                 [&](const Member& member) { return defines(*object.translator, member); });
    for (const Member& member : record->members()) {
        const bool defined = defines(*object.translator, member);
        if (is_union && any && !defined)
            continue; // zeros would overwrite another member
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

/// Stores a translated struct in a variable, member by member; members without a definition become 0.
TExpr* Translators::translated_copy(TExpr* target, const DynamicValue& source, const Span& at)
{
    DynamicValue object = source;
    const Once input = checker.assignments.once(object.input);
    object.input = input.value;
    TExpr* chain = input.store;
    target = checker.assignments.settled(target, chain);
    chain = store_members(target, checker.names.complete_record(target->type), object, chain, at);
    return chain ? chain : checker.values.integer(0, types.named("int"), at);
}

} // namespace dt::sema
