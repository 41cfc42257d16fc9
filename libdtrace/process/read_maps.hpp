// The text of /proc/PID/maps, and where its files are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct Mapping;

/// `process`: its folder in procfs. A process whose first thread has ended has no maps of its own: its other threads
/// have them. Empty: it is gone.
std::string read_maps(const std::string& process);

/// Names by which the file that is mapped can be opened: itself, and what has its name now. `proc`: where proc(5) is
/// mounted.
std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping);

} // namespace dt
