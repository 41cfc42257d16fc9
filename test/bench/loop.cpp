// The loop whose system calls are traced.
#include "test/bench/loop.hpp"

#include <algorithm>
#include <chrono>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dt::bench {

namespace {

double run_once(long calls)
{
    auto begin = std::chrono::steady_clock::now();
    for (long i = 0; i < calls; i++)
        syscall(SYS_getppid);
    std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / static_cast<double>(calls);
}

} // namespace

void use_loop_cpu()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

void use_other_cpus()
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (long cpu = 0; cpu < std::max(1L, count - 1); cpu++)
        CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

double ns_per_call(int repetitions, long calls)
{
    use_loop_cpu();
    double least = run_once(calls);
    for (int i = 1; i < repetitions; i++)
        least = std::min(least, run_once(calls));
    return least;
}

} // namespace dt::bench
