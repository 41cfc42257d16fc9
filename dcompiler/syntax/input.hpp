// Input of the parser besides the program text: the values of macros, and the option that gave the text.
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

/// Command-line option that gave the text; it determines how components of a description are assigned.
enum class SpecKind : uint8_t { Script, Provider, Module, Function, Name, ProbeId };

} // namespace dt
