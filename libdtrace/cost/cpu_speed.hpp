// Measures the idle time of CPUs from /proc/stat, and the CPU time of a process.
#pragma once

#include <cstdint>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/descriptor.hpp"

namespace dt {

/// Returns the ns since boot that each CPU was idle or waited for a disk, by CPU number (0 if missing), from the text
/// of /proc/stat (proc(5)). `ticks` is sysconf(_SC_CLK_TCK), the unit of the text in ticks a second.
std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks);

/// Returns the current times; empty if the file cannot be read.
std::vector<uint64_t> idle_by_cpu();

/// Returns the ns since boot in which some task waited for a CPU, from the text of /proc/pressure/cpu; 0 if unknown.
uint64_t waited_for_cpus(std::string_view pressure);

/// Returns the current value from the file.
uint64_t waited_for_cpus();

/// Measures the CPU time of a process with perf events (PERF_COUNT_SW_TASK_CLOCK). The POSIX clock of another process
/// advances only with its ticks; an event is exact, and is readable after the process has ended.
class ProcessTime {
public:
    /// Starts counting for all present and future threads of the process, without its children. Stays closed if the
    /// kernel refuses (before Linux 5.13, events of threads include children).
    void open(pid_t pid);
    bool is_open() const { return !threads_.empty(); }
    /// Returns the ns since open(). Interrupts the CPUs on which the threads run.
    double read() const;

private:
    std::vector<Descriptor> threads_;
};

} // namespace dt
