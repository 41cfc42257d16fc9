#include "libdtrace/host/busy_neighbour.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdtrace/trace/call_time.hpp"

namespace dt {

namespace {

/// Returns the sibling from the kernel's list ("0,4" or "0-1"), else the other CPU of an even-odd pair, or -1 if only
/// one CPU exists.
int neighbour_of(int cpu)
{
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    char between = 0;
    for (int each = -1; file >> each; file >> between)
        if (each != cpu)
            return each;
    return sysconf(_SC_NPROCESSORS_ONLN) < 2 ? -1 : cpu ^ 1;
}

[[noreturn]] void work_on(int cpu)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sched_param none{}; // resets a real-time policy inherited from the parent
    if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0 && stay_on_cpu(cpu) &&
        sched_setscheduler(0, SCHED_IDLE, &none) == 0)
        for (;;)
            pace_here();
    _exit(1);
}

} // namespace

bool stay_on_cpu(int cpu)
{
    cpu_set_t there;
    CPU_ZERO(&there);
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return false;
    CPU_SET(cpu, &there);
    return sched_setaffinity(0, sizeof there, &there) == 0;
}

BusyNeighbour::BusyNeighbour(int cpu)
{
    const int neighbour = cpu < 0 ? -1 : neighbour_of(cpu);
    std::array<int, 2> closed{-1, -1};
    if (neighbour < 0 || pipe2(closed.data(), O_CLOEXEC) != 0)
        return;
    pid_ = fork();
    if (pid_ == 0)
        work_on(neighbour);
    close(closed[1]);
    char byte = 0;
    while (read(closed[0], &byte, 1) < 0 && errno == EINTR) // the read ends when the child has closed its copy too
        continue;
    close(closed[0]);
}

BusyNeighbour::~BusyNeighbour()
{
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

} // namespace dt
