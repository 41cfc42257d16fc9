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
constexpr std::size_t kRunBuckets = 2048;
constexpr long kMostWaits = 1 << 20;

/// What the thread of one CPU did.
struct StormCpu {
    std::atomic<long> calls = 0, sum = 0;
    std::atomic<long long> taken = 0; ///< ns, of all runs but those that somebody else interrupted for long
    std::atomic<double> untraced = 0; ///< ns a call, before it began
    std::array<std::atomic<uint32_t>, kRunBuckets> runs{}; ///< by what they took
};

/// Shared by the storm and who looks at it.
struct StormState {
    std::atomic<bool> starts = false, ends = false;
    std::atomic<int> ready = 0; ///< threads
    std::atomic<long> waits = 0;
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
    /// to look, in percent: what its calls took longer, and the CPU time of the process `tracer` (0: there is none).
    std::vector<double> watch(int seconds, int looks, pid_t tracer);

private:
    StormState* state_;
    pid_t pid_ = -1;
};

} // namespace dt::bench
