// Signals that come while nothing is traced: a ^C ends what is being typed or listed, the others end the shell.
//
// They are blocked and read, not handled: no state is shared with a handler, commands that are started have a clean
// state of their own, and a run, which reads them itself, finds those that came while it was compiled.
#pragma once

#include <signal.h>

namespace dt::shell {

class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    /// Waits until the descriptor can be read (true) or a signal came.
    bool wait_for(int input);

    /// Was there a ^C since the last call?
    bool take();
    /// Did a signal come that ends the shell?
    bool ends() const { return ends_; }

private:
    void read();

    int signals_ = -1;
    sigset_t previous_;
    bool interrupted_ = false, ends_ = false;
};

} // namespace dt::shell
