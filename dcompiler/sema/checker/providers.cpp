// Checks provider definitions: probes of a program and the types of their arguments (dtrace-providers(7), PROBES OF
// PROGRAMS). Also implements the pragmas that set stability attributes or other properties of names.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "dcompiler/interface/probes.hpp"
#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kMaxParameters = 255;

void check_name(Checker& checker, const std::string& name, const char* what, const Span& at)
{
    const bool provider = std::string_view(what) == "provider";
    if (name.find('`') != std::string::npos || name.size() > kLongestName ||
        (provider && std::isdigit(static_cast<unsigned char>(name.back()))))
        checker.reports.fail(
            "D_PROV_BADNAME", at, std::string(what) + " name is invalid: " + name,
            provider ? "a provider name may not contain a backquote, exceed 63 characters or end with a digit" : "");
}

const ast::Parameter* input_named(const ast::ProviderProbe& probe, const std::string& name)
{
    for (const ast::Parameter& input : probe.input)
        if (input.declarator->name == name)
            return &input;
    return nullptr;
}

/// Returns a parameter's type in C. It has qualifiers, which D ignores but C++ compilers need. A D string becomes a
/// char pointer.
std::string in_c(const ast::Parameter& parameter, const Type* type)
{
    const bool text = type->is_string();
    const std::string qualifiers = std::string(parameter.spec->is_const || text ? "const " : "") +
                                   (parameter.spec->is_volatile ? "volatile " : "");
    return qualifiers + (text ? "char *" : dt::to_string(type));
}

/// Returns whether the argument types in two definitions of a probe are equal.
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
    if (probe.input.size() > kMaxParameters || probe.output.size() > kMaxParameters)
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

// Implements #pragma D attributes, binding and depends_on. The first two set stability attributes and D versions of
// names, which may be defined later.

namespace {

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += " " + word;
    return text;
}

} // namespace

void Pragmas::process(const ast::Pragma& p)
{
    if (p.name == "attributes")
        pragma_attributes(p);
    else if (p.name == "binding")
        pragma_binding(p);
    else if (p.name == "depends_on")
        pragma_depends_on(p);
    else if (p.name == "metric")
        checker.metrics.process(p);
    else
        fail("D_PRAGMA_INVAL", p.at, "invalid D pragma: " + p.name + joined(p.words));
}

void Pragmas::pragma_attributes(const ast::Pragma& p)
{
    const bool of_provider = p.words.size() == 4 && p.words[1] == "provider";
    if (p.words.size() != 2 && !of_provider)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma attributes: expected <attributes> <identifier>");
    const auto parsed = parse_attributes(p.words[0]);
    if (!parsed)
        fail("D_PRAGMA_INVAL", p.at, "invalid attributes " + p.words[0] + " in #pragma attributes",
             "write Name/Data/Class, for example Evolving/Evolving/Common");
    if (!of_provider) {
        apply_pragma({p.at, p.words[1], parsed, std::nullopt});
        return;
    }
    ProviderAttributes& provider = checker.providers.provider_attributes(p.words[2]);
    const std::pair<const char*, Attributes*> parts[] = {{"provider", &provider.provider},
                                                         {"module", &provider.module},
                                                         {"function", &provider.function},
                                                         {"name", &provider.name},
                                                         {"args", &provider.args}};
    for (const auto& [word, part] : parts)
        if (p.words[3] == word) {
            *part = *parsed;
            // applies the pragma to providers that are already defined
            for (DefinedProvider& known : program.providers)
                if (known.name == p.words[2])
                    known.attributes = provider;
            return;
        }
    fail("D_PRAGMA_INVAL", p.at,
         "invalid component " + p.words[3] + " in #pragma attributes for provider " + p.words[2]);
}

void Pragmas::pragma_binding(const ast::Pragma& p)
{
    if (p.words.size() != 2)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma binding: expected \"<version>\" <identifier>");
    std::string text = p.words[0];
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    const auto version = parse_version(text);
    if (!version)
        fail("D_PRAGMA_INVAL", p.at, "invalid version " + text + " in #pragma binding");
    apply_pragma({p.at, p.words[1], std::nullopt, version});
}

void Pragmas::apply_pragma(PendingPragma pending)
{
    const bool library = here.source && here.source->kind == Source::Kind::Library;
    Global* known = pending.name == "translator" ? nullptr : checker.names.find_global(pending.name);
    if (known && (known->from_program || library)) {
        if (pending.attributes)
            known->attributes = pending.attributes;
        if (pending.version)
            known->version = *pending.version;
        return;
    }
    if (known && !known->weak)
        fail("D_PRAGMA_SCOPE", pending.at,
             "#pragma may not change identifier " + pending.name + ": it is not defined by this program");
    here.pending_pragmas.push_back(std::move(pending));
}

void Pragmas::pragma_depends_on(const ast::Pragma& p)
{
    if (p.words.size() != 2)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma depends_on: expected <class> <name>");
    const bool library = here.source && here.source->kind == Source::Kind::Library;
    bool present = false;
    if (p.words[0] == "provider")
        present = world.probes().has_provider(p.words[1]);
    else if (p.words[0] == "module")
        present = world.has_module(p.words[1]);
    else if (p.words[0] == "library")
        // only a library may depend on another library; order_libraries() has checked that the other library exists
        present = library;
    else
        fail("D_PRAGMA_INVAL", p.at, "invalid class " + p.words[0] + " in #pragma depends_on");
    if (!present)
        fail("D_PRAGMA_DEPEND", p.at, "program requires " + p.words[0] + " " + p.words[1]);
}

void Pragmas::finish()
{
    for (const PendingPragma& pending : here.pending_pragmas)
        checker.reports.report("D_PRAGMA_UNUSED", pending.at,
                               "unused #pragma " + std::string(pending.version ? "binding" : "attributes") + " for " +
                                   pending.name);
    here.pending_pragmas.clear();
}

// Stability attributes: their text, their order, and those of a probe description (dtrace-language(7), STABILITY).

namespace {

constexpr std::array<std::string_view, 8> kStabilities = {"Internal", "Private",  "Obsolete", "External",
                                                          "Unstable", "Evolving", "Stable",   "Standard"};
constexpr std::array<std::string_view, 6> kClasses = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

bool same_ignoring_case(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
               return std::tolower(x) == std::tolower(y);
           });
}

template <typename Value, std::size_t N>
bool parse_part(const std::array<std::string_view, N>& names, std::string_view& text, Value& value)
{
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    text = slash == std::string_view::npos ? std::string_view{} : text.substr(slash + 1);
    if (part.empty())
        return true; // a missing component has the highest stability, which `value` contains already
    for (std::size_t i = 0; i < N; ++i)
        if (same_ignoring_case(names[i], part)) {
            value = static_cast<Value>(i);
            return true;
        }
    return false;
}

bool is_pattern(const std::string& component)
{
    return component.empty() || component.find_first_of("*?[") != std::string::npos;
}

constexpr Attributes kUnstable{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
constexpr ProviderAttributes kUndefined{kUnstable, kUnstable, kUnstable, kUnstable, kUnstable};

} // namespace

std::string to_string(const Attributes& a)
{
    return std::string(kStabilities[static_cast<std::size_t>(a.name)]) + "/" +
           std::string(kStabilities[static_cast<std::size_t>(a.data)]) + "/" +
           std::string(kClasses[static_cast<std::size_t>(a.dependency)]);
}

std::optional<Attributes> parse_attributes(std::string_view text)
{
    Attributes made = kMaximum;
    if (text.empty() || !parse_part(kStabilities, text, made.name) || !parse_part(kStabilities, text, made.data) ||
        !parse_part(kClasses, text, made.dependency) || !text.empty())
        return std::nullopt;
    return made;
}

Attributes minimum(const Attributes& a, const Attributes& b)
{
    return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

bool below(const Attributes& a, const Attributes& least)
{
    return a.name < least.name || a.data < least.data || a.dependency < least.dependency;
}

Attributes description_attributes(const ProviderAttributes* provider, const ast::ProbeDesc& d)
{
    if (!provider)
        provider = &kUndefined;
    Attributes made = is_pattern(d.provider) ? kUnstable : provider->provider;
    const std::pair<const std::string*, const Attributes*> parts[] = {
        {&d.module, &provider->module}, {&d.function, &provider->function}, {&d.name, &provider->name}};
    for (const auto& [component, part] : parts)
        if (!is_pattern(*component))
            made = minimum(made, *part);
    return made;
}

bool arguments_unstable(const ProviderAttributes* provider, const ast::ProbeDesc& d, std::size_t matched)
{
    if (matched <= 1)
        return false;
    if (!provider)
        provider = &kUndefined;
    if (is_pattern(d.provider) && provider->args.data < Stability::Evolving)
        return true;
    const auto open = [](const std::string& component, const Attributes& part) {
        return part.name >= Stability::Evolving && is_pattern(component);
    };
    return open(d.module, provider->module) || open(d.function, provider->function) || open(d.name, provider->name);
}

std::optional<uint32_t> parse_version(std::string_view text)
{
    // Versions of D that programs can request (dtrace(8), version). This function converts them to the form of
    // CompileOptions::version.
    constexpr std::string_view known[] = {"1.0", "1.1", "1.2",   "1.2.1", "1.2.2", "1.3",   "1.4", "1.4.1",
                                          "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
    if (std::find(std::begin(known), std::end(known), text) == std::end(known))
        return std::nullopt;
    uint32_t parts[3] = {0, 0, 0};
    std::size_t part = 0;
    for (char c : text) {
        if (c == '.')
            ++part;
        else
            parts[part] = parts[part] * 10 + static_cast<uint32_t>(c - '0');
    }
    return parts[0] << 24 | parts[1] << 12 | parts[2];
}

} // namespace dt::sema
