// Storm of bench limit: a process with a thread per CPU that makes system calls at a fixed rate, in timed runs of
// several calls. The process knows the number of its calls, the sum of their arguments, and the length of its waits
// between two calls of another kind.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace dt::bench {

constexpr int kStormRun = 100; // calls per run
constexpr long kStormCpus = 256;
constexpr std::size_t kMaxPrograms = 64; // maximum number of programs of a tracer
constexpr long kMaxWaits = 1 << 20;

/// Totals of all traced or all untraced runs.
struct StormRuns {
    std::atomic<long> count = 0;
    /// Sum of times in ns; a run with a long interruption by another task counts with the untraced time.
    std::atomic<long long> taken = 0;
};

/// Totals of one CPU's thread.
struct StormCpu {
    std::atomic<long> calls = 0, sum = 0;
    std::atomic<double> untraced = 0; ///< ns per call before the start
    StormRuns alone, traced;          ///< runs while no programs of the tracer were attached, and while some were
};

/// Programs of the observed tracer.
struct StormTracer {
    std::atomic<uint32_t> programs = 0; ///< number of `ids`; 0: no tracer
    uint32_t ids[kMaxPrograms] = {};
    std::atomic<uint32_t> first_link = 0; ///< the tracer's links have larger ids
};

/// State shared by the storm and its observer.
struct StormState {
    std::atomic<bool> starts = false, ends = false;
    std::atomic<int> ready = 0; ///< number of threads that are ready
    std::atomic<long> waits = 0;
    StormTracer tracer;
    float wait_ns[kMaxWaits] = {};
    StormCpu cpus[kStormCpus];

    long calls() const;
    long sum() const;
};

class Storm {
public:
    /// Creates a storm that is ready to start. `rate` is in calls per second over all CPUs.
    explicit Storm(double rate);
    ~Storm();
    Storm(const Storm&) = delete;
    Storm& operator=(const Storm&) = delete;

    pid_t pid() const { return pid_; }
    void start() { state_->starts = true; }
    void end();
    const StormState& state() const { return *state_; }

    /// Starts the storm and samples it `looks` times per second. Returns for each interval the percentage of the
    /// machine lost to tracing: the additional time of its calls, and the CPU time of the process `tracer`, which must
    /// be ready. If `tracer` is 0, 50 ms of each half second count as traced, to show the error of the method.
    std::vector<double> watch(int seconds, int looks, pid_t tracer);

private:
    StormState* state_;
    pid_t pid_ = -1;
};

} // namespace dt::bench
