// From samples to what a sink shows of them.
//
// What a statement's samples hold is known before the first of them arrives, so everything that can be decided is
// decided then: each record becomes one step with its function, its bound format and its checked offsets. A sample is
// then a walk over a short table.
#pragma once

#include <optional>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/aggregations.hpp"
#include "libdtrace/consume/faults.hpp"
#include "libdtrace/consume/losses.hpp"
#include "libdtrace/output/probe_text.hpp"
#include "libdtrace/consume/ring.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/consume/speculation.hpp"
#include "libdtrace/format/printf.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::consume {

class Decoder;

/// -x escape, and where the output leads to now: must control characters of what is traced be made visible?
bool must_escape(const Options& options, const Output& output);

/// One record of a statement, ready to be carried out.
struct RecordPlan {
    using Run = void (*)(Decoder&, const Sample&, const RecordPlan&);
    Run run = nullptr;
    const Record* record = nullptr;
    uint64_t guard = 0; ///< its bit in the guard word; 0: always present
    bool ends_speculation = false;
    format::BoundFormat format;
    std::vector<format::BoundFormat> formats; ///< printa: one for each aggregation
    std::vector<const Datum*> cuttable;       ///< cut.hpp
};

struct StatementPlan {
    uint32_t data_size = 0;
    int guard_offset = -1, thread_offset = -1;
    bool prints_line = true, only_discards = false;
    std::vector<RecordPlan> records;

    /// Whether the firing reached the record's action.
    bool has(const RecordPlan& record, const Sample& sample) const;
    /// Whose firing it was; where that is not recorded, nobody's. The name is in the sample.
    output::FiringThread thread(const Sample& sample) const;
};

class Decoder {
public:
    /// References must outlive the decoder.
    Decoder(ProbeSource& probes, Options& options, Output& output, const format::Environment& env,
            Aggregations& aggregations, Speculations& speculations, Losses& losses, output::Sink& sink);

    /// Makes the plans, anew when there are some. Fails when a schema contradicts itself; aggregations must be open.
    Result<void> plan(const std::vector<StatementSchema>& statements);

    /// Fault messages show the places of `schema`, which must outlive the decoder, in this manner (CLOCK_MONOTONIC ns).
    void explain_faults(const Schema& schema, FaultMessages manner, uint64_t now)
    {
        faults_.explain(schema, manner, now);
    }
    /// Faults that were only counted, when it is time to tell their number; `last`: after the last sample.
    void tell_repeated_faults(uint64_t now, bool last) { faults_.tell_repeated(now, last); }
    bool faults_are_quiet() const { return faults_.is_quiet(); }

    /// Carries out one sample. Samples that no statement can have written are ignored. False: it is lost, because it is
    /// speculative and found no room.
    bool handle(const Sample& sample);

    /// Whether something is printed of it soon, or of what came before: not of what may be discarded later.
    bool is_awaited(const Sample& sample) const;

    /// Whether what is kept is to be printed with this sample: its firing reached a freeze().
    bool freezes(const Sample& sample) const;

    /// The first failure that ends the run (an aggregation that cannot be read), once.
    Result<void> take_failure();

    // For the actions (actions.cpp).
    Options& options;
    Output& output;
    const format::Environment& env;
    Aggregations& aggregations;
    Speculations& speculations;
    output::Sink* sink; ///< another while somebody follows

    void note_failure(Result<void> result);
    /// Ends a speculation at this point of the output.
    void finish_speculation(uint32_t serial, bool commit);
    /// An error of the consumer's own: "error in dt_clause_N for probe ID I (p:m:f:n): TEXT" on stderr.
    void say_error(const Sample& sample, const std::string& text);

private:
    void print(const Sample& sample);
    void end_speculations(const Sample& sample);
    void report_fault(const Sample& sample);
    void count_cut(const Sample& sample, const RecordPlan& record);

    Faults faults_;
    Losses& losses_;
    output::ProbeTexts probes_;
    std::vector<StatementPlan> plans_;
    std::optional<Error> failure_;
};

} // namespace dt::consume
