// What maps take of the kernel's memory, and the tracer itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace dt {

/// Bytes, as the kernel tells them with the descriptor; before Linux 6.3 that is what they may grow to. 0: not known.
uint64_t map_memory(int map);

/// The kernel's number of a map; 0: not known.
uint32_t map_id(int map);

/// Bytes of this process that are resident, with the maps and buffers of the kernel that it has mapped.
uint64_t resident_memory();

/// Bytes of those among them, by the text of /proc/PID/smaps: once for each place that they are mapped at.
uint64_t mapped_from_kernel(std::string_view smaps);

/// Bytes that are this process's own. Takes longer to find out.
uint64_t own_memory();

} // namespace dt
