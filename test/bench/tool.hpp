// Control of measured programs, dtrace and bpftrace: starts and stops them and reads their resource use.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::bench {

struct Usage {
    int status = -1;
    double wall_ms = 0, cpu_s = 0; ///< times of the tool without its children
    double max_rss_mb = 0;
    std::string out, err; // output of the tool, unless the caller sends it to a file
};

class Tool {
public:
    /// Starts a program on all CPUs except the last one, on which the measured loop runs. Its output goes to temporary
    /// files; standard output goes to `out_path` if that is given.
    explicit Tool(const std::vector<std::string>& words, const std::string& out_path = {});
    ~Tool();
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// Sends SIGINT and repeats it every second until the tool has ended.
    Usage interrupt();
    /// Waits until the tool ends by itself.
    Usage wait();

    bool running() const;
    pid_t pid() const { return pid_; }
    /// Returns the time just before the tool was started, in ns of CLOCK_MONOTONIC.
    long long started_ns() const { return started_ns_; }

private:
    pid_t pid_ = -1;
    long long started_ns_ = 0, waited_from_ns_ = 0;
    std::string out_, err_;
    bool own_out_ = true;
};

/// Waits until the tracer has written "ready" to the file `path`. Returns false if it has ended, or after half a
/// minute.
bool wait_until_ready(const Tool& tool, const std::string& path);

/// Returns whether the command exists in PATH.
bool installed(const char* command);

/// Returns CLOCK_MONOTONIC in nanoseconds.
long long monotonic_ns();

/// CPU seconds that a process has used so far, with all its threads. `children_s` is the time of child processes for
/// which it has waited.
struct ProcessTimes {
    double user_s = 0, system_s = 0, children_s = 0;
};
ProcessTimes times_of(pid_t pid);

/// Returns the CPU seconds used by a process so far, without children.
double cpu_seconds(pid_t pid);

/// Returns the run time in seconds of a process's present threads, in user space and kernel, from the scheduler.
/// times_of() is too coarse: it counts clock ticks, and a tick is ten times as long as a short measurement.
double seconds_run(pid_t pid);

/// Returns how often the present threads of a process have slept voluntarily.
long long voluntary_switches(pid_t pid);

/// Returns the kilobytes of all BPF maps that a process holds (memlock in its fdinfo).
double map_kb(pid_t pid);

} // namespace dt::bench
