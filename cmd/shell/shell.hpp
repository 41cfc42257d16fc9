// dtrace --shell: clauses are typed, kept, run until ^C, changed, and run again.
#pragma once

#include <string>
#include <string_view>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

class Interrupts;

/// What commands work on.
struct Shell {
    const cmd::Arguments& arguments;
    Workbench& workbench;
    Output& terminal; ///< for answers; results go where -o says
    Interrupts& interrupts;
    bool is_over = false;
    std::string
        recall; ///< a text that may be called back like a typed one: what an editor left and the compiler refused

    /// Prints a message on standard error. Returns false, for commands.
    bool refuse(std::string_view why);
};

/// Takes one whole entry, a command or D text. False: it failed, and why was told.
bool obey(Shell& shell, std::string_view entry);

} // namespace dt::shell
