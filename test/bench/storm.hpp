// The storm of bench limit: a process with a thread on each CPU that makes so many system calls a second, in runs whose
// time it takes. It knows how many calls it made, what their arguments add up to, and how long it waited between two
// other calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace dt::bench {

constexpr int kStormRun = 100; // calls
constexpr long kStormCpus = 256;
constexpr std::size_t kMostPrograms = 64; // of a tracer
constexpr long kMostWaits = 1 << 20;

/// Of one kind of runs.
struct StormRuns {
    std::atomic<long> count = 0;
    std::atomic<long long> taken = 0; ///< ns; one that somebody else interrupted for long counts as an untraced one
};

/// What the thread of one CPU did.
struct StormCpu {
    std::atomic<long> calls = 0, sum = 0;
    std::atomic<double> untraced = 0; ///< ns a call, before it began
    StormRuns alone, traced;          ///< while nothing of the tracer's was attached, and else
};

/// Programs of the tracer that is watched.
struct StormTracer {
    std::atomic<uint32_t> programs = 0; ///< of `ids`; 0: there is no tracer
    uint32_t ids[kMostPrograms] = {};
    std::atomic<uint32_t> first_link = 0; ///< ids of its links are above
};

/// Shared by the storm and who looks at it.
struct StormState {
    std::atomic<bool> starts = false, ends = false;
    std::atomic<int> ready = 0; ///< threads
    std::atomic<long> waits = 0;
    StormTracer tracer;
    float wait_ns[kMostWaits] = {};
    StormCpu cpus[kStormCpus];

    long calls() const;
    long sum() const;
};

class Storm {
public:
    /// Ready, and not yet begun. `rate`: calls a second, of all CPUs together.
    explicit Storm(double rate);
    ~Storm();
    Storm(const Storm&) = delete;
    Storm& operator=(const Storm&) = delete;

    pid_t pid() const { return pid_; }
    void start() { state_->starts = true; }
    void end();
    const StormState& state() const { return *state_; }

    /// Starts it, and looks at it `looks` times a second. Returns what part of the machine it lost to tracing from look
    /// to look, in percent: what its calls took longer, and the CPU time of the process `tracer`, which is ready. 0:
    /// there is none, and 50 ms of each half second are taken for windows of one.
    std::vector<double> watch(int seconds, int looks, pid_t tracer);

private:
    StormState* state_;
    pid_t pid_ = -1;
};

} // namespace dt::bench
