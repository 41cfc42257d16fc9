// Implements the lookup of macros in one table. Also records whether the source text has used the last argument,
// because it is an error if it has not.
#include "dcompiler/syntax/macros.hpp"

namespace dt::syntax {

namespace {

struct NamedMacro {
    std::string_view name;
    int64_t Macros::*value;
};

constexpr NamedMacro kNamed[] = {
    {"egid", &Macros::egid}, {"euid", &Macros::euid}, {"gid", &Macros::gid},
    {"pgid", &Macros::pgid}, {"pid", &Macros::pid},   {"ppid", &Macros::ppid},
    {"sid", &Macros::sid},   {"uid", &Macros::uid},   {"target", &Macros::target},
};

} // namespace

MacroTable::MacroTable(const Macros& macros, const CompileOptions& options) : macros_(macros), options_(options) {}

std::optional<std::string> MacroTable::argument(std::size_t number, std::string_view absent)
{
    if (number == 0)
        return macros_.script;
    if (number == macros_.arguments.size())
        last_used_ = true;
    if (number <= macros_.arguments.size())
        return macros_.arguments[number - 1];
    if (options_.defaultargs)
        return std::string(absent);
    return std::nullopt;
}

std::optional<int64_t> MacroTable::named(std::string_view name) const
{
    for (const NamedMacro& entry : kNamed)
        // Without a process, $target is undefined. With option defaultargs it has a value all the same, so that a
        // script can compare it with 0.
        if (entry.name == name && (entry.name != "target" || macros_.target != 0 || options_.defaultargs))
            return macros_.*entry.value;
    return std::nullopt;
}

std::optional<std::size_t> MacroTable::unused() const
{
    if (macros_.arguments.empty() || last_used_ || options_.argref)
        return std::nullopt;
    return macros_.arguments.size();
}

} // namespace dt::syntax
