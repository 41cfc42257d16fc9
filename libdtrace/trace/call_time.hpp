// How fast a CPU is at the moment.
#pragma once

#include <cstdint>

namespace dt {

/// Ns that a system call takes on this CPU while nobody traces it: the middle of some short runs. The calling thread
/// goes there for about a tenth of a millisecond, and may go where it might before. 0: it may not go there.
double call_time_on(uint32_t cpu);

} // namespace dt
