// Other programs under measurement: dtrace itself and bpftrace, started, stopped and accounted for.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::bench {

struct Usage {
    int status = -1;
    double wall_ms = 0, cpu_s = 0; ///< of its own, not of its children
    double max_rss_mb = 0;
    std::string out, err; // what it wrote, unless sent to a file of the caller's
};

class Tool {
public:
    /// Starts it away from the loop's CPU, output into files of its own (stdout into `out_path` when given).
    explicit Tool(const std::vector<std::string>& words, const std::string& out_path = {});
    ~Tool();
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// Sends ^C, again every second, and waits for the end.
    Usage interrupt();
    /// Waits for the end.
    Usage wait();

    bool running() const;
    pid_t pid() const { return pid_; }
    /// CLOCK_MONOTONIC just before it was started, in nanoseconds.
    long long started_ns() const { return started_ns_; }

private:
    pid_t pid_ = -1;
    long long started_ns_ = 0, waited_from_ns_ = 0;
    std::string out_, err_;
    bool own_out_ = true;
};

/// Waits until a tracer that prints "ready" when it begins has written that to its file. False: it has ended, or half a
/// minute is over.
bool wait_until_ready(const Tool& tool, const std::string& path);

/// True when there is such a command in PATH.
bool installed(const char* command);

/// CLOCK_MONOTONIC in nanoseconds.
long long monotonic_ns();

/// CPU seconds that a process, with all threads, and those children that it has waited for have taken so far.
struct ProcessTimes {
    double user_s = 0, system_s = 0, children_s = 0;
};
ProcessTimes times_of(pid_t pid);

/// CPU seconds that a process has taken so far, its children not counted.
double cpu_seconds(pid_t pid);

/// For how long the threads that it has now ran, in user space and in the kernel, as the scheduler has it: times_of()
/// counts ticks of the clock, which are ten times as long as a short look.
double seconds_run(pid_t pid);

/// How often the threads that it has now have waited for something.
long long voluntary_switches(pid_t pid);

/// Kilobytes of all BPF maps that a process holds (memlock in its fdinfo).
double map_kb(pid_t pid);

} // namespace dt::bench
