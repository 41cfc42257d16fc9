// The text of /proc/PID/maps.
#pragma once

#include <string>

namespace dt {

/// `process`: its folder in procfs. A process whose first thread has ended has no maps of its own: its other threads
/// have them. Empty: it is gone.
std::string read_maps(const std::string& process);

} // namespace dt
