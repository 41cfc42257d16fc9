// Conventions of a machine that only a few parts of the tracer need: addresses of large results, the start of threads,
// and returns of signal handlers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "machine/machine.hpp"

namespace dt::machine {

struct Conventions {
    /// A new thread returns from the call that made it, so a return probe fires for it.
    bool new_threads_return;
    /// Register with the address of a large result at a function's entry; the return changes it. Without such a
    /// register the first argument has the address, and the function also returns it.
    std::optional<Word> result_address;
    /// Code to which 64-bit signal handlers return, if the vdso does not describe the registers of the signal that
    /// follow on the stack; empty if it does.
    std::span<const uint8_t> signal_return = {};
};

/// `machine` must be one of all().
const Conventions& conventions_of(const Machine& machine);

} // namespace dt::machine
