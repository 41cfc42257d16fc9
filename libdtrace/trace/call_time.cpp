#include "libdtrace/trace/call_time.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/time.hpp"

namespace dt {

namespace {

constexpr std::size_t kRunsOfCalls = 7;
constexpr int kCallsOfRun = 50;

} // namespace

double call_time_on(uint32_t cpu)
{
    cpu_set_t before, there;
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0 ||
        sched_setaffinity(0, sizeof there, &there) != 0)
        return 0;
    std::array<double, kRunsOfCalls> runs{}; // the first ones find nothing in the caches, and some are interrupted
    for (double& run : runs) {
        const int64_t begin = now_ns(CLOCK_MONOTONIC);
        for (int i = 0; i < kCallsOfRun; ++i)
            syscall(SYS_getppid);
        run = static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin) / kCallsOfRun;
    }
    sched_setaffinity(0, sizeof before, &before);
    std::nth_element(runs.begin(), runs.begin() + kRunsOfCalls / 2, runs.end());
    return runs[kRunsOfCalls / 2];
}

} // namespace dt
