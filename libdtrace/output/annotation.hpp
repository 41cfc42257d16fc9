// The machine code of a program with what its instructions cost (-x annotate).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::output {

struct AnnotatedInstruction {
    uint32_t offset = 0; ///< in its function
    std::string text;
    uint64_t own = 0;    ///< samples in it
    uint64_t called = 0; ///< samples in what it calls
    uint64_t sum() const { return own + called; }
};

/// A part of a clause (ClauseParts), or the code of a function that is of no clause.
struct AnnotatedLine {
    std::string file;
    uint32_t line = 0; ///< 0: none
    std::string text;
    std::vector<AnnotatedInstruction> instructions;

    uint64_t own() const;
    uint64_t called() const;
    uint64_t sum() const { return own() + called(); }
};

/// A clause in one program: a clause of many probes may be in several. Or what is of no clause: the program around
/// them, a function that they call.
struct AnnotatedCode {
    std::string_view kind; ///< "clause", "program", "function"
    std::string name;
    std::string program;           ///< what the program serves
    bool several = false;          ///< the clause is in others as well
    std::optional<uint64_t> fired; ///< as far as it is counted
    std::vector<AnnotatedLine> lines;

    uint64_t sum() const;
};

struct Annotation {
    std::vector<AnnotatedCode> codes; ///< clauses, programs, functions; of each the dearest first
    uint64_t samples = 0;             ///< that found the kernel running
    uint64_t in_programs = 0;         ///< of these, those in the programs or in what they call
    uint64_t lost = 0;
    uint64_t period = 1;   ///< ns of a CPU that a sample stands for
    uint64_t elapsed = 0;  ///< ns in which programs ran
    bool sees_all = false; ///< else code that runs with interrupts off is not in it
    std::string problem;   ///< why something is missing; empty: nothing is

    /// Of the samples in the programs, 0 to 1.
    double share(uint64_t samples) const;
    /// Ns of so many samples, for each of so many firings.
    double price(uint64_t samples, uint64_t firings) const;
};

/// Lines for a person.
std::string annotation_text(const Annotation& annotation);

} // namespace dt::output
