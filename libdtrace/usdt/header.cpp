// Generates the header of -h, and converts names of user probes between C and D. For each probe, the header contains
// two pairs of a macro and a function: one pair fires the probe, the other queries whether the probe is enabled
// (dtrace-providers(7), PROBES OF PROGRAMS). The functions are never defined: -G replaces the calls of these functions
// by no-ops, at which probes are attached later.
#include "libdtrace/usdt/link.hpp"

#include <cctype>
#include <set>

#include "dcompiler/interface/probes.hpp"

namespace dt::usdt {
namespace {

/// Returns the text in upper case, with underscores for characters that C names cannot contain.
std::string as_macro(std::string_view text)
{
    std::string name;
    for (const char c : text)
        name += std::isalnum(static_cast<unsigned char>(c))
                    ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                    : '_';
    return name;
}

/// Describes a parameter of a probe's function in the header: its type, and whether the macro casts its argument to
/// this type.
struct Parameter {
    std::string type;
    bool is_cast = false;
};

/// Returns whether the name is a typedef that the includes of the generated header define under every C standard.
bool is_standard(const std::string& name)
{
    static const std::set<std::string_view> kStandard = {"int8_t",   "int16_t",   "int32_t",   "int64_t",  "intptr_t",
                                                         "intmax_t", "size_t",    "uint8_t",   "uint16_t", "uint32_t",
                                                         "uint64_t", "uintptr_t", "uintmax_t", "ssize_t"};
    return kStandard.contains(name);
}

/// Returns whether a C or C++ compiler knows the type if it reads only the generated header.
bool is_known(const Type* type)
{
    if (type->kind == TypeKind::Typedef)
        return is_standard(type->name);
    return type->kind == TypeKind::Void || type->kind == TypeKind::Float ||
           (type->kind == TypeKind::Integer && type->name != "_Bool");
}

/// Returns how the header declares a parameter of a type. A type that only the program defines is replaced by a general
/// type: uintptr_t, or a pointer to const void. A pointer parameter points to const, so that constant data can be
/// passed. The macro casts such an argument, because its type in the program may be different.
Parameter parameter_of(const Type* type)
{
    if (type->is_string())
        return {"const char *", true};
    if (type->is_pointer()) {
        const Type* const target = type->kind == TypeKind::Pointer ? type->target : nullptr;
        const bool is_named = target && !target->is_pointer() && is_known(target);
        return {is_named ? "const " + to_string(target) + " *" : "const void *", true};
    }
    if (is_known(type))
        return {to_string(type)};
    return {"uintptr_t", true};
}

struct Names {
    std::string macro, fire, asks;
    std::string parameters; ///< macro parameters: "arg0, arg1"
    std::string arguments;  ///< the arguments as the macro passes them to the function
    std::string types;      ///< parameter types of the function
};

Names names_of(const DefinedProvider& provider, const DefinedProbe& probe)
{
    const std::string function = provider.name + std::string(kBetween) + underscored(probe.name);
    Names names{as_macro(provider.name) + "_" + as_macro(probe.name), std::string(kFirePrefix) + function,
                std::string(kEnabledPrefix) + function};
    for (std::size_t i = 0; i < probe.input.size(); ++i) {
        const Parameter parameter = parameter_of(probe.input[i]);
        const std::string between = i ? ", " : "", name = "arg" + std::to_string(i);
        names.parameters += between + name;
        names.arguments += between + (parameter.is_cast ? "(" + parameter.type + ")(" + name + ")" : name);
        names.types += between + parameter.type;
    }
    if (names.types.empty())
        names.types = "void";
    return names;
}

std::string probe_in_use(const DefinedProvider& provider, const DefinedProbe& probe)
{
    const Names names = names_of(provider, probe);
    std::string text;
    text +=
        "#define\t" + names.macro + "(" + names.parameters + ") \\\n\t" + names.fire + "(" + names.arguments + ")\n";
    text += "#ifdef\t__GNUC__\n";
    text += "#define\t" + names.macro + "_ENABLED() \\\n\t({ uint32_t enabled = 0; \\\n\t" + names.asks +
            "(&enabled); \\\n\tenabled; })\n";
    text += "#else\n#define\t" + names.macro + "_ENABLED() (1)\n#endif\n";
    text += "extern void " + names.fire + "(" + names.types + ");\n";
    text += "extern void " + names.asks + "(uint32_t *flag);\n";
    return text;
}

std::string probe_left_out(const DefinedProvider& provider, const DefinedProbe& probe)
{
    const Names names = names_of(provider, probe);
    return "#define\t" + names.macro + "(" + names.parameters + ")\n#define\t" + names.macro + "_ENABLED() (0)\n";
}

template <typename Make> std::string for_each_probe(const std::deque<DefinedProvider>& providers, Make make)
{
    std::string text;
    for (const DefinedProvider& provider : providers)
        for (const DefinedProbe& probe : provider.probes)
            text += make(provider, probe);
    return text;
}

} // namespace

std::string make_header(const std::string& file, const std::deque<DefinedProvider>& providers)
{
    const std::string guard = "_" + as_macro(file);
    std::string text = "/*\n * Generated by dtrace(8) -h.\n */\n\n";
    text += "#ifndef\t" + guard + "\n#define\t" + guard + "\n\n";
    text += "#include <unistd.h>\n#include <inttypes.h>\n\n";
    text += "#ifdef\t__cplusplus\nextern \"C\" {\n#endif\n\n";
    text += "#ifdef\t__GNUC__\n#pragma GCC system_header\n#endif\n\n";
    text += "#define _DTRACE_VERSION 1\n\n#if _DTRACE_VERSION\n\n";
    text += for_each_probe(providers, probe_in_use);
    text += "\n#else\n\n";
    text += for_each_probe(providers, probe_left_out);
    text += "\n#endif\n\n#ifdef\t__cplusplus\n}\n#endif\n\n#endif\t/* " + guard + " */\n";
    return text;
}

// Converts names of user probes between C and D.

std::optional<SiteName> read_site_name(std::string_view symbol)
{
    const bool asks = symbol.starts_with(kEnabledPrefix);
    if (!asks && !symbol.starts_with(kFirePrefix))
        return std::nullopt;
    symbol.remove_prefix((asks ? kEnabledPrefix : kFirePrefix).size());
    const std::size_t between = symbol.find(kBetween);
    if (between == std::string_view::npos || between == 0 || between + kBetween.size() == symbol.size())
        return std::nullopt;
    return SiteName{std::string(symbol.substr(0, between)), dashed(symbol.substr(between + kBetween.size())), asks};
}

} // namespace dt::usdt
