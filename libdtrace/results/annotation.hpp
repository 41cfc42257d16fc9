// Annotated machine code (-x annotate): the instructions of each BPF program, and the CPU time of each instruction
// according to profiler samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::output {

struct AnnotatedInstruction {
    uint32_t offset = 0; ///< offset in bytes from the start of the function
    std::string text;
    uint64_t own = 0;    ///< number of samples in the instruction itself
    uint64_t called = 0; ///< number of samples in functions that the instruction calls
    uint64_t sum() const { return own + called; }
};

/// Code of one part of a clause, such as its predicate (ClauseParts), or of a function outside of all clauses.
struct AnnotatedLine {
    std::string file;
    uint32_t line = 0; ///< line number in the source text; 0 if the code has no source line
    std::string text;
    std::vector<AnnotatedInstruction> instructions;

    uint64_t own() const;
    uint64_t called() const;
    uint64_t sum() const { return own() + called(); }
};

/// The code of a clause in one program, or code outside of clauses: the other code of the program, or a function that
/// clauses call. A clause with many probes may be part of several programs.
struct AnnotatedCode {
    std::string_view kind; ///< kind of the listing: "clause", "program" or "function"
    std::string name;
    std::string program;           ///< name of the program's probe or provider
    bool several = false;          ///< whether the clause is also part of other programs
    std::optional<uint64_t> fired; ///< number of firings, if they are counted
    std::vector<AnnotatedLine> lines;

    uint64_t sum() const;
};

struct Annotation {
    /// clauses, then programs, then functions; each group sorted by cost, highest first
    std::vector<AnnotatedCode> codes;
    uint64_t samples = 0;     ///< number of all profiler samples that interrupted kernel code
    uint64_t in_programs = 0; ///< number of samples in the programs, or in functions that they call
    uint64_t lost = 0;
    uint64_t period = 1;  ///< ns of CPU time for which one sample stands
    uint64_t elapsed = 0; ///< time in ns for which probes were active
    /// whether code that runs with interrupts disabled has samples too; an ordinary timer interrupt cannot interrupt it
    bool sees_all = false;
    std::string problem; ///< reason for missing data; empty if the data is complete

    /// Returns `samples` as a share of all samples in programs, from 0 to 1.
    double share(uint64_t samples) const;
    /// Converts a number of samples to the time in ns per firing. `firings` is the number of firings.
    double price(uint64_t samples, uint64_t firings) const;
};

/// Returns the annotation as human-readable text.
std::string annotation_text(const Annotation& annotation);

} // namespace dt::output
