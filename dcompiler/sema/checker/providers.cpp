// Checks provider definitions: a program's probes with their argument types (dtrace-providers(7), PROBES OF PROGRAMS).
#include <algorithm>
#include <cctype>
#include <set>

#include "dcompiler/sema/checker.hpp"
#include "dcompiler/sema/probe_names.hpp"

namespace dt::sema {

namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kMostParameters = 255;

void check_name(Checker& checker, const std::string& name, const char* what, const Span& at)
{
    const bool provider = std::string_view(what) == "provider";
    if (name.find('`') != std::string::npos || name.size() > kLongestName ||
        (provider && std::isdigit(static_cast<unsigned char>(name.back()))))
        checker.reports.fail(
            "D_PROV_BADNAME", at, std::string(what) + " name is invalid: " + name,
            provider ? "a provider name has no backquote, at most 63 characters and no digit at its end" : "");
}

const ast::Parameter* input_named(const ast::ProviderProbe& probe, const std::string& name)
{
    for (const ast::Parameter& input : probe.input)
        if (input.declarator->name == name)
            return &input;
    return nullptr;
}

/// Returns a parameter's C type. D ignores qualifiers, but C++ compilers need them; D strings are char pointers in C.
std::string in_c(const ast::Parameter& parameter, const Type* type)
{
    const bool text = type->is_string();
    const std::string qualifiers = std::string(parameter.spec->is_const || text ? "const " : "") +
                                   (parameter.spec->is_volatile ? "volatile " : "");
    return qualifiers + (text ? "char *" : dt::to_string(type));
}

/// Returns whether two definitions of a probe have equal types.
bool same_types(const DefinedProbe& a, const DefinedProbe& b)
{
    const auto same = [](const std::vector<const Type*>& x, const std::vector<const Type*>& y) {
        return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](const Type* p, const Type* q) {
                   return dt::to_string(p) == dt::to_string(q);
               });
    };
    return a.name == b.name && same(a.input, b.input) && same(a.output, b.output) && a.mapping == b.mapping;
}

bool same_probes(const DefinedProvider& a, const DefinedProvider& b)
{
    return a.probes.size() == b.probes.size() &&
           std::equal(a.probes.begin(), a.probes.end(), b.probes.begin(), same_types);
}

} // namespace

void Providers::define_outputs(const ast::ProviderProbe& probe, DefinedProbe& made)
{
    for (const ast::Parameter& output : probe.output)
        if (output.declarator->name.empty())
            fail("D_DECL_PROTO_NAME", output.at, "output parameter of probe " + probe.name + " requires a name");
    made.output = checker.declarations.parameter_types(probe.output, false, false, true);
    for (std::size_t i = 0; i < made.output.size(); ++i) {
        const std::string& name = probe.output[i].declarator->name;
        const ast::Parameter* input = input_named(probe, name);
        if (!input)
            fail("D_DECL_PROTO_FORM", probe.output[i].at,
                 "output parameter " + name + " of probe " + probe.name + " is not an input parameter");
        const auto number = static_cast<std::size_t>(input - probe.input.data());
        const Type* from = made.input.at(number);
        const Type* to = made.output[i];
        TExpr value;
        value.op = TOp::Builtin;
        value.type = from;
        const bool text = to->is_string() && (is_string_compatible(from) || from->is_scalar());
        const Type* record = to->is_pointer() ? to->resolve()->target : to;
        if (!options.for_build && !text && !checker.values.argument(&value, to) &&
            !checker.translators.find_translator(record, from))
            fail("D_PROV_PRXLATOR", probe.at,
                 "translator from " + dt::to_string(from) + " to " + dt::to_string(to) + " for probe " + probe.name +
                     " is not defined");
        made.mapping.push_back(static_cast<uint8_t>(number));
    }
}

DefinedProbe Providers::define_probe(const ast::ProviderProbe& probe)
{
    if (probe.input.size() > kMostParameters || probe.output.size() > kMostParameters)
        fail("D_PROV_PRARGLEN", probe.at, "probe " + probe.name + " has too many parameters: at most 255");
    DefinedProbe made;
    made.name = dashed(probe.name);
    made.input = checker.declarations.parameter_types(probe.input, false, false);
    for (std::size_t i = 0; i < made.input.size(); ++i)
        made.declared.push_back(in_c(probe.input[i], made.input[i]));
    if (probe.has_output) {
        define_outputs(probe, made);
        return made;
    }
    made.output = made.input;
    for (std::size_t i = 0; i < made.input.size(); ++i)
        made.mapping.push_back(static_cast<uint8_t>(i));
    return made;
}

void Providers::define_provider(const ast::ProviderDef& definition)
{
    here.unknown_type_tag = "D_UNKNOWN";
    here.in_provider = true;
    check_name(checker, definition.name, "provider", definition.at);
    DefinedProvider made;
    made.name = definition.name;
    made.at = definition.at;
    std::set<std::string> names;
    for (const ast::ProviderProbe& probe : definition.probes) {
        check_name(checker, probe.name, "probe", probe.at);
        if (!names.insert(dashed(probe.name)).second)
            fail("D_PROV_PRDUP", probe.at, "probe redeclared: " + definition.name + ":::" + dashed(probe.name));
        made.probes.push_back(define_probe(probe));
    }
    here.in_provider = false;
    for (const DefinedProvider& known : program.providers) {
        if (known.name != definition.name)
            continue;
        if (!same_probes(known, made))
            fail("D_PROV_INCOMPAT", definition.at,
                 "provider interface mismatch: " + definition.name + " was defined with other probes or types");
        return;
    }
    made.attributes = provider_attributes(definition.name);
    program.providers.push_back(std::move(made));
}

ProviderAttributes& Providers::provider_attributes(const std::string& name)
{
    constexpr Attributes unstable{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
    return provider_attributes_.try_emplace(name, ProviderAttributes{unstable, unstable, unstable, unstable, unstable})
        .first->second;
}

} // namespace dt::sema
