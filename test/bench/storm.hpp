// Storm of bench limit: a process with a thread per CPU that makes system calls at a fixed rate, in timed batches. It
// counts its calls and adds up their arguments, for comparison with the script's totals. From time to time it waits
// between two calls of another kind, and records the length of the wait.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace dt::bench {

constexpr int kStormRun = 100; // number of calls in a batch
constexpr long kStormCpus = 256;
constexpr std::size_t kMaxPrograms = 64; // maximum number of BPF programs of the observed tracer
constexpr long kMaxWaits = 1 << 20;

/// Number and total time of batches: of all traced ones, or of all untraced ones.
struct StormRuns {
    std::atomic<long> count = 0;
    /// Total time of the batches in ns. A batch with a long interruption counts with the usual time of an untraced
    /// batch.
    std::atomic<long long> taken = 0;
};

/// Totals of the thread that runs on one CPU.
struct StormCpu {
    std::atomic<long> calls = 0, sum = 0;
    std::atomic<double> untraced = 0; ///< time of an untraced call in ns, measured in the warm-up
    /// batches during which the tracer had no programs attached (alone), and during which it had some (traced)
    StormRuns alone, traced;
};

/// BPF programs of the observed tracer, by which the storm detects whether it is traced.
struct StormTracer {
    std::atomic<uint32_t> programs = 0; ///< number of valid elements of `ids`; 0: no tracer
    uint32_t ids[kMaxPrograms] = {};
    /// the tracer's BPF links have ids above this one, which was the newest before the tracer started
    std::atomic<uint32_t> first_link = 0;
};

/// Memory that the process of the storm shares with the process that observes it.
struct StormState {
    std::atomic<bool> starts = false, ends = false;
    std::atomic<int> ready = 0; ///< number of threads that are ready to start the storm
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

    /// Starts the storm and samples it `looks` times per second. The tracer must be ready. Returns for each interval
    /// the percentage of the machine's CPU time that tracing cost: the time added to the calls plus the CPU time of the
    /// process `tracer`. If `tracer` is 0, 50 ms of each half second count as traced, to show the error of the method.
    std::vector<double> watch(int seconds, int looks, pid_t tracer);

private:
    StormState* state_;
    pid_t pid_ = -1;
};

} // namespace dt::bench
