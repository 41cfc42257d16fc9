// Signals of the shell while no trace runs: a ^C ends the current input or listing, other signals end the shell.
//
// The signals are blocked and read from a descriptor. So no state is shared with a signal handler, and child processes
// do not inherit one. A run, which reads signals itself, also sees those that arrived while it was compiled.
#pragma once

#include <signal.h>

namespace dt::shell {

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
