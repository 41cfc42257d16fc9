// Implements the loop whose system calls are traced.
#include "test/bench/loop.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dt::bench {

namespace {

// Argument of the measured system call. Scripts read it; the system call itself ignores it.
constexpr char kText[] = "/usr/share/zoneinfo/Europe/Berlin";

double run_once(long calls, long number)
{
    auto begin = std::chrono::steady_clock::now();
    make_calls(number, calls);
    std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / static_cast<double>(calls);
}

// Number of processes to measure. The kernel's placement of a task's data changes the cost of a traced call by up to 8
// ns, for the task's lifetime. All compared programs are affected, so one process is not enough.
constexpr int kProcesses = 8;

double ns_in_a_new_process(int repetitions, long calls, long number)
{
    int ends[2];
    if (pipe(ends) != 0)
        return HUGE_VAL;
    const pid_t child = fork();
    double least = HUGE_VAL;
    if (child == 0) {
        use_loop_cpu();
        for (int i = 0; i < repetitions; i++)
            least = std::min(least, run_once(calls, number));
        _exit(write(ends[1], &least, sizeof least) == sizeof least ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &least, sizeof least) != sizeof least)
        least = HUGE_VAL;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return least;
}

} // namespace

void make_call(long number, long i)
{
    syscall(number, 0, kText, i, 1);
}

void make_calls(long number, long calls)
{
    for (long i = 0; i < calls; i++)
        make_call(number, i);
}

void use_cpu(long cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

void use_loop_cpu()
{
    use_cpu(sysconf(_SC_NPROCESSORS_ONLN) - 1);
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

double ns_per_call(int repetitions, long calls, long number)
{
    double least = HUGE_VAL;
    for (int process = 0; process < kProcesses; process++)
        least = std::min(least, ns_in_a_new_process(repetitions, calls, number));
    return least;
}

} // namespace dt::bench
