// The shell's own words, one entry each; whatever does not begin with one of them is D.
#pragma once

#include <span>
#include <string_view>

#include "cmd/shell/context.hpp"
#include "cmd/shell/shell.hpp"

namespace dt::shell {

struct CommandEntry {
    std::string_view name;
    std::string_view operands; ///< as help shows them; empty: it takes none
    std::string_view help;     ///< empty: another word for one that has a help
    Operand operand = Operand::None;
    bool needs_operand = false;
    bool (*run)(Shell& shell, std::string_view operand) = nullptr; ///< false: it failed, and has told why
};

std::span<const CommandEntry> command_table();

/// The command that a line is, or null: D. A colon may stand before its name. `{` or `,` behind the word make it a
/// probe's name.
const CommandEntry* find_command(std::string_view line);

/// What stands behind the command's name.
std::string_view operand_of(std::string_view line);

} // namespace dt::shell
