// How long CPUs had nothing to do, as /proc/stat has it, and how long a process had a CPU.
#pragma once

#include <cstdint>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/descriptor.hpp"

namespace dt {

/// Ns since boot that each CPU was idle or waited for a disk, by its number (0 for one that is not there), from the
/// text of /proc/stat (proc(5)). `ticks`: of sysconf(_SC_CLK_TCK), a second; idle time is told in those.
std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks);

/// Of now. Empty where the file cannot be read.
std::vector<uint64_t> idle_by_cpu();

/// Returns the ns since boot in which some task waited for a CPU, from the text of /proc/pressure/cpu; 0 if unknown.
uint64_t waited_for_cpus(std::string_view pressure);

/// Reads the file.
uint64_t waited_for_cpus();

/// Counts the CPU time of a process by perf events (PERF_COUNT_SW_TASK_CLOCK). A POSIX clock of another process stands
/// still from tick to tick; an event does not, and it can be read after the end of the process.
class ProcessTime {
public:
    /// Begins to count for all threads of the process, present and future, but not for its children. Stays closed if
    /// the kernel refuses that (before Linux 5.13, events of threads include children).
    void open(pid_t pid);
    bool is_open() const { return !threads_.empty(); }
    /// Returns the ns since open(). Interrupts the CPUs where the threads run.
    double read() const;

private:
    std::vector<Descriptor> threads_;
};

} // namespace dt
