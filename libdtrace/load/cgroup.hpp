// -x cgroup: the control group that is traced, as programs ask for it.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt {

/// Puts the control group at `path` into the only element of a CGROUP_ARRAY map. A path that begins with no "/" is
/// below where cgroup2 is mounted, as /proc/PID/cgroup tells it but for its "/". The error is complete.
Result<void> put_cgroup(int map, const std::string& path);

} // namespace dt
