// Macro variables: $1, $$1, $pid, $$pid. They are spliced as tokens or into probe descriptions, never as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/options.hpp"
#include "dcompiler/syntax/input.hpp"

namespace dt::syntax {

/// The macros of one program text, which remembers what the text referred to.
class MacroTable {
public:
    MacroTable(const Macros& macros, const CompileOptions& options);

    /// The text of operand `number` (0: the script's name); with defaultargs an absent operand is `absent`, else
    /// nothing.
    std::optional<std::string> argument(std::size_t number, std::string_view absent);
    /// The value of a named macro variable, without its $.
    std::optional<int64_t> named(std::string_view name) const;

    /// The number of the last operand when operands were given, the last was never referred to, and that matters.
    std::optional<std::size_t> unused() const;
    const std::string& argument_text(std::size_t number) const { return macros_.arguments[number - 1]; }

private:
    const Macros& macros_;
    const CompileOptions& options_;
    bool last_used_ = false;
};

} // namespace dt::syntax
