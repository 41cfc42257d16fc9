// Checks and expands inlines: named expressions whose parameters are bound to checked arguments.
#include "dcompiler/sema/environment.hpp"

namespace dt::sema {

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
    for (const InlineParameter& parameter : made->parameters) // placeholder for an argument while the definition is
                                                              // checked
        bindings.emplace_back(parameter.name, checker.values.node(TOp::Builtin, parameter.type, definition.at));
    const Attributes outer = std::exchange(here.attributes, kMaximum);
    std::string lacking; // reported where the inline is used
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
        const Once argument = checker.assignments.once(values[i]);
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
    here.attributes = own; // uses have the inline's own attributes, not those of its parts
    if (DynamicValue* object = checker.values.dynamic(value); object && object->translator) {
        object->input = checker.assignments.after(stores, object->input);
        return value;
    }
    if (value->op == TOp::Variable && checker.values.compatible(value->type, definition.type))
        return value; // an alias, as writable as the variable
    TExpr* converted = checker.values.argument(value, definition.type);
    if (!converted)
        fail("D_OP_INCOMPAT", at, "inline " + global.name + " has incompatible type");
    return checker.assignments.after(stores, converted);
}

} // namespace dt::sema
