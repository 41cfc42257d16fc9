// Which frames of a kernel stack are the tracer's own.
#pragma once

#include <cstdint>

#include "libdtrace/symbols.hpp"

namespace dt {

/// The number of innermost frames that a stack taken in a raw tracepoint has before the function that the tracepoint is in: the BPF
/// program and how the kernel came to run it. How many depends on how the kernel was compiled, so a program is run once to see; 0 when
/// that does not work. Cost: about 1 ms, and reading the kernel's symbols.
uint64_t count_tracer_frames(Symbols& symbols);

} // namespace dt
