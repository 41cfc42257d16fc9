// Option -x annotate: prints the machine code of a trace's programs with the number of clock samples at each
// instruction.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/annotate/code_attribution.hpp"
#include "libdtrace/annotate/code_samples.hpp"
#include "libdtrace/annotate/program_code.hpp"
#include "libdtrace/cost/cost_counters.hpp"
#include "libdtrace/results/annotation.hpp"
#include "libdtrace/results/cost_report.hpp"

struct bpf_object;

namespace dt {

class ClauseSizer {
public:
    explicit ClauseSizer(const std::deque<Statement>& statements) : parts_(statements) {}

    /// Adds the programs of an object. Has no effect if the kernel does not disclose their code.
    void add(const bpf_object* object, const Schema& schema);
    /// Adds programs; `programs` is the result of read_verified_code().
    void add(std::span<const ProgramCode> programs, const Schema& schema);

    const consume::ClauseSizes& sizes() const { return sizes_; }

private:
    ClauseParts parts_;
    consume::ClauseSizes sizes_;
};

} // namespace dt

struct bpf_object;

namespace dt {

/// A loaded program; class CodeSamples refers to it by its index in the list of programs.
struct AnnotatedProgram {
    std::string name;             ///< text that lists the probes that the program serves
    std::vector<uint32_t> probes; ///< ids of the probes that the program serves
};

class Annotator {
public:
    /// callback that returns the name of the kernel function at an address
    using NameOf = std::function<std::string(uint64_t address)>;
    using ServedBy = std::function<std::string(const ProgramPlan&)>;

    /// Starts to sample the instruction pointers of all CPUs.
    explicit Annotator(const std::deque<Statement>& statements);

    /// Adds the programs of an object. `served_by` returns the names of the probes that a program serves. If the kernel
    /// does not disclose a program's code, the annotation will contain the reason.
    void add(const bpf_object* object, std::span<const ProgramPlan> plans, const ServedBy& served_by);
    /// Reads the samples that have arrived; must be called several times a second.
    void read();

    /// Returns the annotated code. `costs` contains the firing counts and the elapsed time.
    output::Annotation result(const output::CostReport& costs, const NameOf& name_of);

private:
    ClauseParts parts_;
    ClockSamples clock_;
    CodeSamples samples_;
    std::vector<AnnotatedProgram> programs_;
    std::string problem_;
};

/// Formats annotated code as text, with one section per clause and program.
std::vector<output::AnnotatedCode> annotated_codes(const CodeSamples& samples, const ClauseParts& parts,
                                                   std::span<const AnnotatedProgram> programs,
                                                   const output::CostReport& costs, const Annotator::NameOf& name_of);

} // namespace dt
