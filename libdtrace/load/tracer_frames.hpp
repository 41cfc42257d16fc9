// Number of frames in a kernel stack that belong to the tracer itself.
#pragma once

#include <cstdint>

#include "libdtrace/world/symbols.hpp"

namespace dt {

struct TracerFrames {
    uint64_t tracepoint =
        0; ///< for a stack taken in a raw tracepoint: frames before the function that contains the tracepoint
    uint64_t test_run = 0; ///< for a program run by this process: frames before the system call
};

/// Returns the number of innermost frames that belong to the BPF program and the kernel code that runs it. The number
/// depends on the kernel's build, so one program is run each way to find it; 0 if that fails. Costs about 1 ms and a
/// read of the kernel's symbols.
TracerFrames count_tracer_frames(Symbols& symbols);

} // namespace dt
