// -x annotate: what the clock says of a trace's programs, beside their machine code.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/load/clock_samples.hpp"
#include "libdtrace/output/annotation.hpp"
#include "libdtrace/output/costs.hpp"
#include "libdtrace/trace/clause_parts.hpp"
#include "libdtrace/trace/code_samples.hpp"

struct bpf_object;

namespace dt {

/// One that is loaded, as its numbers in CodeSamples have it.
struct AnnotatedProgram {
    std::string name;             ///< what it serves
    std::vector<uint32_t> probes; ///< likewise
};

class Annotating {
public:
    using NameOf = std::function<std::string(uint64_t address)>; ///< of a function of the kernel
    using ServedBy = std::function<std::string(const ProgramPlan&)>;

    /// Begins to sample.
    explicit Annotating(const std::deque<Statement>& statements);

    /// The programs of an object, and what they serve. What the kernel does not tell is told in the annotation.
    void add(const bpf_object* object, std::span<const ProgramPlan> plans, const ServedBy& served_by);
    /// Takes the samples that have come: several times a second.
    void read();

    /// `costs`: how often probes fired, and within which time.
    output::Annotation result(const output::CostReport& costs, const NameOf& name_of);

private:
    ClauseParts parts_;
    ClockSamples clock_;
    CodeSamples samples_;
    std::vector<AnnotatedProgram> programs_;
    std::string problem_;
};

/// What was counted, by clause and program, with the code as text.
std::vector<output::AnnotatedCode> annotated_codes(const CodeSamples& samples, const ClauseParts& parts,
                                                   std::span<const AnnotatedProgram> programs,
                                                   const output::CostReport& costs, const Annotating::NameOf& name_of);

} // namespace dt
