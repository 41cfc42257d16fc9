// Memory use of maps in the kernel, and of this process.
#pragma once

#include <cstdint>
#include <string_view>

namespace dt {

/// Returns the bytes reported by the kernel for the descriptor, or 0 if not known. Before Linux 6.3 the value is the
/// maximum size.
uint64_t map_memory(int map);

/// Returns the kernel's id of a map, or 0 if not known.
uint32_t map_id(int map);

/// Returns this process's resident bytes, including mapped maps and buffers of the kernel.
uint64_t resident_memory();

/// Returns the bytes of these kernel mappings, from the text of /proc/PID/smaps. Memory that is mapped several times
/// counts several times.
uint64_t mapped_from_kernel(std::string_view smaps);

/// Returns the bytes of this process without kernel mappings. Slower than resident_memory().
uint64_t own_memory();

} // namespace dt
