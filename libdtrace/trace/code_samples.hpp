// Which instructions of a trace's programs the clock found running, or waiting for what they call.
//
// A sample counts for the instruction of a program that it was taken in; where it was taken in a function of the kernel
// that a program called, for that call. A function of the runtime is paid for by the clause that calls it: the calls
// count as well, outwards up to the first instruction that is of a clause, or of the program around its clauses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libdtrace/load/program_code.hpp"

namespace dt {

/// What a range of instructions is of, and how far it reaches is where the next one begins.
struct CodeOwner {
    enum class Kind : uint8_t {
        Clause,
        Program, ///< what is around the clauses: whether tracing is on, which probe fired
        Runtime, ///< functions that clauses call
    } kind = Kind::Runtime;
    uint32_t part = 0; ///< of a clause: what PartOf says
    bool operator==(const CodeOwner&) const = default;
};

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
    using PartOf = std::function<std::optional<uint32_t>(const CodeLine&)>;

    struct Range {
        uint64_t address = 0;
        CodeOwner owner;
    };
    struct Function {
        uint32_t program = 0; ///< number
        CodeFunction code;
        std::vector<Range> ranges;              ///< by address; the first begins with the function
        std::map<uint64_t, SampleCount> counts; ///< by an address in the instruction

        CodeOwner owner_at(uint64_t address) const;
    };

    /// Programs of one object, which are numbered from `first` on. What has no part of its own (an expression that
    /// stands elsewhere) is of the part before it.
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
