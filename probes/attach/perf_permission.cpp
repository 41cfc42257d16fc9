// Debian's kernels have the level kernel.perf_event_paranoid=3, their default, which requires CAP_SYS_ADMIN for perf
// events.
#include "probes/attach/perf_permission.hpp"

#include <fstream>

namespace dt::probes {

namespace {

constexpr int kMostElsewhere = 2;

int paranoid_level()
{
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    int level = 0;
    file >> level;
    return level;
}

} // namespace

bool perf_events_take_admin()
{
    return paranoid_level() > kMostElsewhere;
}

std::string perf_permission_needed()
{
    const int level = paranoid_level();
    if (level <= kMostElsewhere)
        return "CAP_PERFMON is needed";
    return "CAP_SYS_ADMIN is needed while sysctl kernel.perf_event_paranoid is " + std::to_string(level) +
           "; CAP_PERFMON is enough when it is 2";
}

} // namespace dt::probes
