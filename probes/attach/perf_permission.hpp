// Capabilities needed to open perf events: CAP_PERFMON in every kernel, more in those of some distributions.
#pragma once

#include <string>

namespace dt::probes {

/// Returns whether opening a perf event requires CAP_SYS_ADMIN here.
bool perf_events_take_admin();

/// Returns the required capability after perf_event_open(2) failed with EPERM or EACCES: "CAP_PERFMON is needed".
std::string perf_permission_needed();

} // namespace dt::probes
