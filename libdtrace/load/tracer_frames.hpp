// Which frames of a kernel stack are the tracer's own.
#pragma once

#include <cstdint>

#include "libdtrace/world/symbols.hpp"

namespace dt {

struct TracerFrames {
    uint64_t tracepoint =
        0; ///< of a stack taken in a raw tracepoint: those before the function that the tracepoint is in
    uint64_t test_run = 0; ///< in a program that this process ran: those before the system call
};

/// The number of innermost frames that are the BPF program and how the kernel came to run it. How many depends on how
/// the kernel was compiled, so a program is run once in each way to see; 0 when that does not work. Cost: about 1 ms,
/// and reading the kernel's symbols.
TracerFrames count_tracer_frames(Symbols& symbols);

} // namespace dt
