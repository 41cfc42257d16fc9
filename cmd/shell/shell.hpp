// dtrace --shell: interactive entry of clauses, which can be run, changed and run again.
#pragma once

#include <signal.h>

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

class Interrupts;

/// State of the shell, which its commands use and change.
struct Shell {
    const cmd::Arguments& arguments;
    Workbench& workbench;
    Output& terminal; ///< output of commands; the output of traces goes to the file of -o
    Interrupts& interrupts;
    bool is_over = false;
    std::string recall; ///< text to add to the history: a clause that was entered in the editor

    /// Prints a message to standard error. Always returns false, so that a command can return its result.
    bool refuse(std::string_view why);
};

/// Executes one complete entry, a command or D text. Returns false after printing an error.
bool obey(Shell& shell, std::string_view entry);

// Conversion between the shell's program and a script.

/// Returns the clauses and declarations of a script in order. If the last one is unfinished, it is included, so that
/// the compiler reports its error.
std::vector<std::string> clauses_of_script(std::string_view text);

/// Returns a script that behaves like the program if the script is run by its path. It contains a #! line and the
/// options that were set.
std::string script_text(const Workbench& workbench, const cmd::Arguments& arguments);

/// Writes the script to an executable file. The error message can be printed as it is.
Result<void> save_script(const Workbench& workbench, const cmd::Arguments& arguments, const std::string& path);

/// Signals of the shell while no trace runs. ^C discards the current input or ends a listing; other signals end the
/// shell.
///
/// The signals are blocked and read from a descriptor. So there is no signal handler, which could interfere with other
/// code or be inherited by child processes. While a trace runs, it reads the signals itself, including those that
/// arrived while its program was compiled.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    /// Blocks until the descriptor is readable (returns true) or a signal arrives (false).
    bool wait_for(int input);

    /// Returns whether a ^C arrived since the last call.
    bool take();
    /// Returns whether a signal has requested the end of the shell.
    bool ends() const { return ends_; }

private:
    void read();

    int signals_ = -1;
    sigset_t previous_;
    bool interrupted_ = false, ends_ = false;
};

} // namespace dt::shell
