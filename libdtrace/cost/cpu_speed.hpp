// Measures how fast a CPU is at the moment, and how long CPUs were idle. Option -x maxcost needs both values. Hook
// overhead depends on the speed. If a CPU has no idle time, tracing slows the traced code, so that fewer probes fire
// than without tracing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"

namespace dt {

/// Returns the time in ns of an untraced system call on a CPU: the median of some short runs. Moves the calling thread
/// there for about a tenth of a millisecond, and restores its affinity. Returns 0 if the thread may not run there.
double call_time_on(uint32_t cpu);

/// Returns the time in ns of a fixed loop (a thousand additions to each of four independent numbers) on the current
/// CPU. If a busy thread shares the core, the loop takes 1.5 to 2 times as long. Tracing does not slow the loop.
double cpu_speed_here();

/// Returns the median of some runs of cpu_speed_here() on a CPU. Moves the calling thread there for a hundredth of a
/// millisecond. Returns 0 if the thread may not run there.
double cpu_speed_on(uint32_t cpu);

/// Cache of cpu_speed_on() for each CPU, shared by all traces of a process, because moving a thread to another CPU is
/// slow.
class CpuSpeeds {
public:
    /// Returns the result of cpu_speed_on() for a CPU. Measures again if the cached result is older than `holds` ns at
    /// the time `now` (CLOCK_MONOTONIC ns). Returns 0 if the speed cannot be measured.
    double on(uint32_t cpu, uint64_t now, uint64_t holds);

private:
    struct Measurement {
        uint64_t asked = 0;
        double ns = 0;
    };
    std::map<uint32_t, Measurement> known_;
};

// Measures the idle time of CPUs from /proc/stat, and the CPU time of a process.

/// Parses the text of /proc/stat (proc(5)). Returns for each CPU number the ns since boot in which the CPU was idle or
/// waited for a disk; 0 for missing CPUs. `ticks` is sysconf(_SC_CLK_TCK), the text's ticks per second.
std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks);

/// Reads /proc/stat and returns the present idle times; empty if the file cannot be read.
std::vector<uint64_t> idle_by_cpu();

/// Parses the text of /proc/pressure/cpu. Returns the ns since boot in which some task waited for a CPU, or 0 if the
/// text does not contain this time.
uint64_t waited_for_cpus(std::string_view pressure);

/// Reads /proc/pressure/cpu. Returns the ns since boot in which some task waited for a CPU, or 0 if the file cannot be
/// read.
uint64_t waited_for_cpus();

/// Measures the CPU time of a process with perf events (PERF_COUNT_SW_TASK_CLOCK). Another process's POSIX CPU clock
/// advances only at timer ticks; a perf event is exact, and can be read even after the process has ended.
class ProcessTime {
public:
    /// Starts counting for all present and future threads of the process, without its children. Does nothing if the
    /// kernel refuses the events (before Linux 5.13, events of threads include child processes).
    void open(pid_t pid);
    bool is_open() const { return !threads_.empty(); }
    /// Returns the CPU time in ns that the process has used since open(). Reading interrupts the CPUs on which the
    /// threads run.
    double read() const;

private:
    std::vector<Descriptor> threads_;
};

} // namespace dt
