// Ways of a machine that few ask about: what a call leaves of where its result goes, how its kernel lets a thread
// begin, and what handlers of signals return to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "machine/machine.hpp"

namespace dt::machine {

struct Ways {
    /// A thread that begins returns from the call that made it: the kernel tells of that return as of any other.
    bool new_threads_return;
    /// Says at a function's entry where a large result goes, and has something else when it returns; none: the first
    /// argument says it, and the result is that address.
    std::optional<Word> result_address;
    /// The code that 64-bit handlers of signals return to, where the kernel's vdso does not describe that behind it are
    /// the registers of a signal; empty: it does.
    std::span<const uint8_t> signal_return = {};
};

/// `machine` is one of all().
const Ways& ways_of(const Machine& machine);

} // namespace dt::machine
