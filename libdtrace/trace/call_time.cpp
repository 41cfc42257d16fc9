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

constexpr std::size_t kRunsThere = 7;
constexpr int kCallsOfRun = 50;
constexpr int kAdditions = 1000; // additions to each of four independent numbers

double call_time_here()
{
    const int64_t begin = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < kCallsOfRun; ++i)
        syscall(SYS_getppid);
    return static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin) / kCallsOfRun;
}

/// Returns the median of several runs on a CPU. The first runs find cold caches, and some are interrupted.
double middle_on(uint32_t cpu, double (*run)())
{
    cpu_set_t before, there;
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0 ||
        sched_setaffinity(0, sizeof there, &there) != 0)
        return 0;
    std::array<double, kRunsThere> runs{};
    for (double& each : runs)
        each = run();
    sched_setaffinity(0, sizeof before, &before);
    std::nth_element(runs.begin(), runs.begin() + kRunsThere / 2, runs.end());
    return runs[kRunsThere / 2];
}

} // namespace

double call_time_on(uint32_t cpu)
{
    return middle_on(cpu, call_time_here);
}

double pace_on(uint32_t cpu)
{
    return middle_on(cpu, pace_here);
}

double Paces::on(uint32_t cpu, uint64_t now, uint64_t holds)
{
    Pace& pace = known_[cpu];
    if (pace.asked == 0 || now >= pace.asked + holds)
        pace = {now, pace_on(cpu)};
    return pace.ns;
}

double pace_here()
{
    uint64_t a = 0, b = 0, c = 0, d = 0;
    const int64_t begin = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < kAdditions; ++i) {
        ++a, ++b, ++c, ++d;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)); // prevents the compiler from removing the additions
    }
    return static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin);
}

} // namespace dt
