// Input of the parser besides the source text: the values of macro variables ($1, $$1, $pid, $$pid), and the kind of
// option that gave the source text. Macros are inserted as tokens or into probe descriptions, never as source text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/options.hpp"

namespace dt {

/// Values of $0, $1, … and of macro variables with names.
struct Macros {
    std::string script;                 ///< value of $0, the name of the script
    std::vector<std::string> arguments; ///< values of $1, $2, …
    int64_t pid = 0, ppid = 0, pgid = 0, sid = 0, uid = 0, euid = 0, gid = 0, egid = 0, target = 0;
};

/// Kind of the option that gives the source text, such as -n or -f. It determines which component of a probe
/// description comes last.
enum class SpecKind : uint8_t { Script, Provider, Module, Function, Name, ProbeId };

} // namespace dt

namespace dt::syntax {

/// The macros that one source text can use. Records whether it has used the last argument.
class MacroTable {
public:
    MacroTable(const Macros& macros, const CompileOptions& options);

    /// Returns the script's argument with this index (0: its name). If the argument is missing, returns `absent` if
    /// option defaultargs is set, else nothing.
    std::optional<std::string> argument(std::size_t number, std::string_view absent);
    /// Returns the value of a macro variable with a name; `name` is without the $.
    std::optional<int64_t> named(std::string_view name) const;

    /// Returns the index of the last argument if the source text has not used it and the options make that an error,
    /// else nothing.
    std::optional<std::size_t> unused() const;
    const std::string& argument_text(std::size_t number) const { return macros_.arguments[number - 1]; }

private:
    const Macros& macros_;
    const CompileOptions& options_;
    bool last_used_ = false;
};

} // namespace dt::syntax
