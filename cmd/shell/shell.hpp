// dtrace --shell: interactive entry of clauses, which can be run, changed and run again.
#pragma once

#include <string>
#include <string_view>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

class Interrupts;

/// State that commands work on.
struct Shell {
    const cmd::Arguments& arguments;
    Workbench& workbench;
    Output& terminal; ///< output of commands; results of traces go to the target of -o
    Interrupts& interrupts;
    bool is_over = false;
    std::string recall; ///< text to add to the history: a clause that came from the editor

    /// Prints a message to standard error. Returns false, for use in commands.
    bool refuse(std::string_view why);
};

/// Executes one complete entry, a command or D text. Returns false after printing an error.
bool obey(Shell& shell, std::string_view entry);

} // namespace dt::shell
