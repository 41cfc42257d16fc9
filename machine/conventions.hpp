// Conventions of a machine that only a few parts of the tracer need: addresses of large results, the start of threads,
// and returns of signal handlers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "machine/machine.hpp"

namespace dt::machine {

struct Conventions {
    /// Whether a new thread returns from the system call that created it, so that a return probe fires in the thread.
    bool new_threads_return;
    /// Register that contains the address of a large result at a function's entry, but not at its return. On machines
    /// without such a register, the address is the first argument, and the function also returns it.
    std::optional<Word> result_address;
    /// Machine code to which 64-bit signal handlers return; unwinders recognize signal frames by it. Empty if the vdso
    /// has unwind information for that code, which makes this unnecessary.
    std::span<const uint8_t> signal_return = {};
};

/// Returns the conventions of a machine, which must be one of machine::all().
const Conventions& conventions_of(const Machine& machine);

} // namespace dt::machine
