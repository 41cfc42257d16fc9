// Counts the clock samples at each instruction of a trace's programs. Class ClockSamples takes the samples.
//
// A sample counts for the program's instruction that was running. If the sample is inside a kernel function, it counts
// for the program's call of it. Time in a runtime function is charged to the clause that calls it. So the calls up to
// the first instruction of a clause, or of the code around the clauses, count as well.
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
        uint32_t program = 0; ///< index of the program that the function belongs to
        CodeFunction code;
        std::vector<CodeRange> ranges;
        std::map<uint64_t, SampleCount> counts; ///< by an address inside an instruction: number of its samples

        const CodeOwner& owner_at(uint64_t address) const { return dt::owner_at(ranges, address); }
    };

    /// Adds the programs of one object; their indices start at `first`.
    void add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of);

    /// Counts a sample; `frames` is as in ClockSamples::read().
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

// Samples of kernel code, about two thousand per second and CPU (perf_event_open(2)).
//
// The processor's cycle counter interrupts any code. Machines without one use the kernel's clock, which does not
// interrupt code with interrupts off: probes whose trap disables interrupts are then not sampled.

struct perf_buffer;

namespace dt {

class ClockSamples {
public:
    static constexpr uint64_t kPerSecond = 1999; ///< odd, to avoid resonance with periodic activity
    /// ns between two samples, which a sample represents.
    static constexpr uint64_t kPeriod = 1'000'000'000 / kPerSecond;

    ClockSamples() = default;
    ~ClockSamples();
    ClockSamples(const ClockSamples&) = delete;
    ClockSamples& operator=(const ClockSamples&) = delete;

    /// Starts sampling on all online CPUs.
    Result<void> open();
    bool is_open() const { return buffer_ != nullptr; }
    /// Returns whether samples also come from code with interrupts off.
    bool sees_all() const { return sees_all_; }

    /// Calls `take` with each new sample: kernel addresses, first of the instruction, then return addresses. Idle CPUs
    /// and user code are left out.
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
    const std::function<void(std::span<const uint64_t>)>* take_ = nullptr; ///< the argument of read(), while it runs
};

} // namespace dt
