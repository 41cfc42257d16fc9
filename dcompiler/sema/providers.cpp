// Provider definitions: the probes a program promises to have, with their argument types (language reference 1.11).
#include <cctype>
#include <set>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kMostParameters = 255;

/// `__` in a probe name stands for `-`.
std::string dashed(const std::string& name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_') {
            text += '-';
            ++i;
        } else {
            text += name[i];
        }
    }
    return text;
}

void check_name(Checker& checker, const std::string& name, const char* what, const Span& at)
{
    const bool provider = std::string_view(what) == "provider";
    if (name.find('`') != std::string::npos || name.size() > kLongestName || (provider && std::isdigit(static_cast<unsigned char>(name.back()))))
        checker.fail("D_PROV_BADNAME", at, std::string(what) + " name is invalid: " + name,
                     provider ? "a provider name has no backquote, at most 63 characters and no digit at its end" : "");
}

const ast::Parameter* input_named(const ast::ProviderProbe& probe, const std::string& name)
{
    for (const ast::Parameter& input : probe.input)
        if (input.declarator->name == name)
            return &input;
    return nullptr;
}

} // namespace

/// Types of one probe as text: how a second definition is compared.
std::string Checker::probe_signature(const ast::ProviderProbe& probe)
{
    if (probe.input.size() > kMostParameters || probe.output.size() > kMostParameters)
        fail("D_PROV_PRARGLEN", probe.at, "probe " + probe.name + " has too many parameters: at most 255");
    std::string text = probe.name + "(";
    const std::vector<const Type*> inputs = parameter_types(probe.input, false, false);
    for (const Type* type : inputs)
        text += dt::to_string(type) + ",";
    text += ")";
    if (!probe.has_output)
        return text;
    for (const ast::Parameter& output : probe.output)
        if (output.declarator->name.empty())
            fail("D_DECL_PROTO_NAME", output.at, "output parameter of probe " + probe.name + " requires a name");
    const std::vector<const Type*> outputs = parameter_types(probe.output, false, false);
    text += ":(";
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string& name = probe.output[i].declarator->name;
        const ast::Parameter* input = input_named(probe, name);
        if (!input)
            fail("D_DECL_PROTO_FORM", probe.output[i].at, "output parameter " + name + " of probe " + probe.name + " is not an input parameter");
        const Type* from = inputs[static_cast<std::size_t>(input - probe.input.data())];
        const Type* to = outputs[i];
        TExpr value;
        value.op = TOp::Builtin;
        value.type = from;
        const bool string = to->is_string() && (is_string_compatible(from) || from->is_scalar());
        const Type* record = to->is_pointer() ? to->resolve()->target : to;
        if (!string && !argument(&value, to) && !find_translator(record, from))
            fail("D_PROV_PRXLATOR", probe.at, "translator from " + dt::to_string(from) + " to " + dt::to_string(to) + " for probe " + probe.name + " is not defined");
        text += dt::to_string(to) + ",";
    }
    return text + ")";
}

void Checker::define_provider(const ast::ProviderDef& definition)
{
    late_type_tag_ = "D_UNKNOWN";
    check_name(*this, definition.name, "provider", definition.at);
    std::set<std::string> names;
    std::string text;
    for (const ast::ProviderProbe& probe : definition.probes) {
        check_name(*this, probe.name, "probe", probe.at);
        if (!names.insert(dashed(probe.name)).second)
            fail("D_PROV_PRDUP", probe.at, "probe redeclared: " + definition.name + ":::" + dashed(probe.name));
        text += probe_signature(probe) + ";";
    }
    for (const ProviderSignature& known : providers_) {
        if (known.name != definition.name)
            continue;
        if (known.text != text)
            fail("D_PROV_INCOMPAT", definition.at, "provider interface mismatch: " + definition.name + " was defined with other probes or types");
        return;
    }
    providers_.push_back({definition.name, text, {}});
}

} // namespace dt::sema
