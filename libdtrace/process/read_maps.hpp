// Reads the text of /proc/PID/maps and locates the mapped files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct Mapping;

/// Returns the maps of a process; `process` is its folder in procfs. If its first thread has ended, another thread's
/// maps are read. Empty if the process has ended.
std::string read_maps(const std::string& process);

/// Returns paths to open the mapped file: the mapping itself, then the file that has its name now. `proc` is the mount
/// point of proc(5).
std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping);

} // namespace dt
