// The tables made from builtins.def, and how they are searched.
#include "dcompiler/sema/builtins.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "dcompiler/sema/hooks.hpp"

namespace dt {

namespace {

using namespace sema; // the check hooks

constexpr Attributes kStableAttributes{Stability::Stable, Stability::Stable, DependencyClass::Common};
constexpr Attributes kEvolvingAttributes{Stability::Evolving, Stability::Evolving, DependencyClass::Common};
constexpr Attributes kThreadAttributes{Stability::Stable, Stability::Private, DependencyClass::Common};
constexpr Attributes kProbeAttributes = kStableAttributes; // in a clause: those of the probe's own fields

// A name without a `lower` hook in the table is one the language knows and nobody implements.
constexpr bool has_hook(std::string_view hook)
{
    return hook != "nullptr";
}

constexpr BuiltinVariable kVariables[] = {
#define DT_VARIABLE(name, type, attributes, check, lower) {#name, type, attributes, check, nullptr},
#include "dcompiler/sema/builtins.def"
};

constexpr Subroutine kSubroutines[] = {
#define DT_SUBROUTINE(name, prototype, attributes, destructive, check, lower)                                          \
    {#name, prototype, attributes, destructive, check, nullptr, has_hook(#lower)},
#include "dcompiler/sema/builtins.def"
};

constexpr Action kActions[] = {
#define DT_ACTION(name, prototype, flags, check, lower) {#name, prototype, flags, check, nullptr, has_hook(#lower)},
#include "dcompiler/sema/builtins.def"
};

constexpr AggFunction kAggFunctions[] = {
#define DT_AGGFUNC(name, prototype, kind, check) {#name, prototype, AggKind::kind, check},
#include "dcompiler/sema/builtins.def"
};

template <typename Entry, std::size_t N>
const Entry* search(const Entry (&table)[N], std::string_view name)
{
    for (const Entry& entry : table)
        if (entry.name == name)
            return &entry;
    return nullptr;
}

} // namespace

bool is_extension(std::string_view name)
{
    constexpr std::string_view names[] = {"cgroup", "container", "nspid", "nstid", "strtoll", "tolower", "toupper"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

namespace {

constexpr uint32_t version(uint32_t major, uint32_t minor, uint32_t micro = 0)
{
    return major << 24 | minor << 12 | micro;
}

struct Introduction {
    uint32_t version;
    std::string_view names; ///< words with a blank on either side
};

// What is not here is as old as D.
constexpr Introduction kIntroductions[] = {
    {version(1, 1), " index rindex strchr strrchr strstr strtok substr "},
    {version(1, 2), " func mod setopt sym uaddr ucaller ufunc umod ustackdepth usym "},
    {version(1, 3), " htonl htonll htons ntohl ntohll ntohs "},
    {version(1, 5), " inet_ntoa inet_ntoa6 inet_ntop link_ntop "},
    {version(1, 6), " stddev "},
    {version(1, 6, 1), " llquantize "},
    {version(2, 0), " cgroup container nspid nstid pcap print return strtoll tolower toupper "},
};

} // namespace

uint32_t introduced_in(std::string_view name)
{
    const std::string word = " " + std::string(name) + " ";
    for (const Introduction& introduction : kIntroductions)
        if (introduction.names.find(word) != std::string_view::npos)
            return introduction.version;
    return version(1, 0);
}

std::string_view why_refused(std::string_view action)
{
    if (action == "panic")
        return "the kernel gives a BPF program no way to bring the machine down, and that is as it should be";
    if (action == "breakpoint")
        return "a BPF program cannot enter the kernel's debugger: it may not stop the CPU it runs on";
    return {};
}

const BuiltinVariable* find_variable(std::string_view name)
{
    return search(kVariables, name);
}
const Subroutine* find_subroutine(std::string_view name)
{
    return search(kSubroutines, name);
}
const Action* find_action(std::string_view name)
{
    return search(kActions, name);
}
const AggFunction* find_agg_function(std::string_view name)
{
    return search(kAggFunctions, name);
}

} // namespace dt
