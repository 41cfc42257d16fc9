// Counts the clock samples at each instruction of a trace's programs.
//
// A sample counts for the program's instruction that was running. If the sample is inside a kernel function, it counts
// for the program's call of it. Time in a runtime function is charged to the clause that calls it. So the calls up to
// the first instruction of a clause, or of the code around the clauses, count as well.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "libdtrace/load/program_code.hpp"
#include "libdtrace/trace/code_owner.hpp"

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
        uint32_t program = 0; ///< index of the function's program
        CodeFunction code;
        std::vector<CodeRange> ranges;
        std::map<uint64_t, SampleCount> counts; ///< sample counts by an address inside the instruction

        const CodeOwner& owner_at(uint64_t address) const { return dt::owner_at(ranges, address); }
    };

    /// Adds the programs of one object; their indices start at `first`.
    void add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of);

    /// Counts a sample in the form that ClockSamples::read() passes.
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
