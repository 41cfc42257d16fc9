// Which instructions of a trace's programs the clock found running, or waiting for what they call.
//
// A sample counts for the instruction of a program that it was taken in; where it was taken in a function of the kernel
// that a program called, for that call. A function of the runtime is paid for by the clause that calls it: the calls
// count as well, outwards up to the first instruction that is of a clause, or of the program around its clauses.
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
        uint32_t program = 0; ///< number
        CodeFunction code;
        std::vector<CodeRange> ranges;
        std::map<uint64_t, SampleCount> counts; ///< by an address in the instruction

        const CodeOwner& owner_at(uint64_t address) const { return dt::owner_at(ranges, address); }
    };

    /// Programs of one object, which are numbered from `first` on.
    void add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of);

    /// A sample, as ClockSamples::read() tells of it.
    void count(std::span<const uint64_t> frames);

    /// By address.
    const std::vector<Function>& functions() const { return functions_; }
    uint64_t samples() const { return samples_; }
    uint64_t in_programs() const { return in_programs_; }
    /// The function that begins there; null: none of these.
    const Function* begins_at(uint64_t address) const;

private:
    Function* find(uint64_t address);

    std::vector<Function> functions_;
    uint64_t samples_ = 0, in_programs_ = 0;
};

} // namespace dt
