// Who may open perf events: every kernel asks for CAP_PERFMON, those of some distributions for more.
#pragma once

#include <string>

namespace dt::probes {

/// Does opening one take CAP_SYS_ADMIN here?
bool perf_events_take_admin();

/// What is needed after perf_event_open(2) failed with EPERM or EACCES: "CAP_PERFMON is needed".
std::string perf_permission_needed();

} // namespace dt::probes
