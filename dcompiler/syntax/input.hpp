// What comes with a program's text: the values of its macros, and which option gave it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

/// Values of $0, $1 … and the named macro variables.
struct Macros {
    std::string script;                 ///< $0
    std::vector<std::string> arguments; ///< $1 …
    int64_t pid = 0, ppid = 0, pgid = 0, sid = 0, uid = 0, euid = 0, gid = 0, egid = 0, target = 0;
};

/// How the components of a command-line description are assigned: which option it came with.
enum class SpecKind : uint8_t { Script, Provider, Module, Function, Name, ProbeId };

} // namespace dt
