// The commands of the shell. A line that does not begin with a command is D.
#pragma once

#include <span>
#include <string_view>

#include "cmd/shell/complete.hpp"
#include "cmd/shell/shell.hpp"

namespace dt::shell {

struct CommandEntry {
    std::string_view name;
    std::string_view operands; ///< the command's operands as help shows them; empty: it takes none
    std::string_view help;     ///< text that help shows; empty: the entry is an alias of another command
    Operand operand = Operand::None;
    bool needs_operand = false;
    bool (*run)(Shell& shell, std::string_view operand) = nullptr; ///< returns false after printing an error
};

std::span<const CommandEntry> command_table();

/// Returns the command with which the line begins, or null if the line is D. A colon may precede the command. If `{` or
/// `,` follows the word, it is the name of a probe instead.
const CommandEntry* find_command(std::string_view line);

/// Returns the text after the command's name.
std::string_view operand_of(std::string_view line);

} // namespace dt::shell
