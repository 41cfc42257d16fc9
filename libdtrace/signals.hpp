// The signals that end a run (output reference 1.2).
#pragma once

#include <signal.h>

namespace dt {

/// While it lives, INT, TERM, HUP and QUIT are turned into something to poll for, and a closed pipe into a write error. Signals that were
/// ignored before stay ignored. The previous state comes back on destruction.
class Signals {
public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Readable when a signal came; -1 when the kernel gave none.
    int descriptor() const { return descriptor_; }

    /// True once a first signal came. From then on a further one ends the process at once, with status 0; the kernel releases
    /// everything that a process held.
    bool interrupted();

private:
    int descriptor_ = -1;
    bool interrupted_ = false;
    sigset_t caught_;
    sigset_t previous_mask_;
    struct sigaction previous_pipe_;
};

} // namespace dt
