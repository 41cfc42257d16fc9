// Ways of a machine that few ask about: what a call leaves of where its result goes, and how its kernel lets a thread
// begin.
#pragma once

#include <optional>

#include "machine/machine.hpp"

namespace dt::machine {

struct Ways {
    /// A thread that begins returns from the call that made it: the kernel tells of that return as of any other.
    bool new_threads_return;
    /// Says at a function's entry where a large result goes, and has something else when it returns; none: the first
    /// argument says it, and the result is that address.
    std::optional<Word> result_address;
};

/// `machine` is one of all().
const Ways& ways_of(const Machine& machine);

} // namespace dt::machine
