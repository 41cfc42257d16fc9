// Counts the clock samples at each instruction of a trace's programs. Class ClockSamples takes the samples.
//
// A sample counts for the program's instruction at which the CPU was interrupted. If a kernel function was running, the
// sample counts for the instruction that called it. If a runtime function was running, the sample also counts for each
// call instruction on the path from the clause to that function. So the time of called functions is included in the
// clause.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/annotate/code_attribution.hpp"
#include "libdtrace/annotate/program_code.hpp"

namespace dt {

struct SampleCount {
    uint64_t own = 0, called = 0;
    uint64_t sum() const { return own + called; }
    SampleCount& operator+=(const SampleCount& other)
    {
        own += other.own;
        called += other.called;
        return *this;
    }
};

class CodeSamples {
public:
    struct Function {
        uint32_t program = 0; ///< index of the program to which the function belongs
        CodeFunction code;
        std::vector<CodeRange> ranges;
        /// number of samples of each instruction; the map's key is an address inside the instruction
        std::map<uint64_t, SampleCount> counts;

        const CodeOwner& owner_at(uint64_t address) const { return dt::owner_at(ranges, address); }
    };

    /// Adds the programs of one object; their indices start at `first`.
    void add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of);

    /// Counts a sample; `frames` are the frames that ClockSamples::read() passes to its callback.
    void count(std::span<const uint64_t> frames);

    /// Returns the functions, sorted by address.
    const std::vector<Function>& functions() const { return functions_; }
    uint64_t samples() const { return samples_; }
    uint64_t in_programs() const { return in_programs_; }
    /// Returns the function that begins at an address, or null.
    const Function* begins_at(uint64_t address) const;

private:
    Function* find(uint64_t address);

    std::vector<Function> functions_;
    uint64_t samples_ = 0, in_programs_ = 0;
};

} // namespace dt

// Samples the CPUs' kernel code, about two thousand times per second and CPU (perf_event_open(2)).
//
// The processor's cycle counter interrupts any code. Machines without such a counter use the kernel's clock. This clock
// does not interrupt code with interrupts off, so probes whose trap disables interrupts are not sampled.

struct perf_buffer;

namespace dt {

class ClockSamples {
public:
    /// Samples per second and CPU; an odd number avoids resonance with periodic activity.
    static constexpr uint64_t kPerSecond = 1999;
    /// Time between two samples in ns; each sample represents this time.
    static constexpr uint64_t kPeriod = 1'000'000'000 / kPerSecond;

    ClockSamples() = default;
    ~ClockSamples();
    ClockSamples(const ClockSamples&) = delete;
    ClockSamples& operator=(const ClockSamples&) = delete;

    /// Starts sampling on all online CPUs.
    Result<void> open();
    bool is_open() const { return buffer_ != nullptr; }
    /// Returns whether samples also come from kernel code that runs with interrupts disabled.
    bool sees_all() const { return sees_all_; }

    /// Calls `take` with each new sample: the kernel address of the interrupted instruction, then return addresses.
    /// Skips samples of idle CPUs and of user code.
    void read(const std::function<void(std::span<const uint64_t> frames)>& take);
    /// Returns the number of samples lost because a buffer was full.
    uint64_t lost() const { return lost_; }

private:
    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    bool open_event(uint32_t type, uint64_t config);
    void handle(const void* record);

    std::unique_ptr<perf_buffer, Close> buffer_;
    int map_ = -1;
    bool sees_all_ = false;
    uint64_t lost_ = 0;
    /// callback of the current read() call; null outside of read()
    const std::function<void(std::span<const uint64_t>)>* take_ = nullptr;
};

} // namespace dt
