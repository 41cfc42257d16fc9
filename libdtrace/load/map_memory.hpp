// What maps take of the kernel's memory, and the tracer itself.
#pragma once

#include <cstdint>

namespace dt {

/// Bytes, as the kernel tells them with the descriptor; before Linux 6.3 that is what they may grow to. 0: not known.
uint64_t map_memory(int map);

/// The kernel's number of a map; 0: not known.
uint32_t map_id(int map);

/// Bytes of this process that are resident.
uint64_t resident_memory();

} // namespace dt
