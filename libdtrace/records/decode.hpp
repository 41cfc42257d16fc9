// Decodes samples for a sink.
//
// The layout of a statement's samples is known before the first sample arrives, so a decoding plan is made in advance.
// In the plan, each record is one step, with the function that handles the record, its bound format and its checked
// offsets. To decode a sample, the decoder only runs these steps.
#pragma once

#include <optional>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/aggregations/aggregations.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/format/printf.hpp"
#include "libdtrace/losses/drop_messages.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/probe_text.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/records/faults.hpp"
#include "libdtrace/records/speculation.hpp"

namespace dt::consume {

class Decoder;

/// Returns whether control characters in traced data must be escaped. The result depends on -x escape and on the
/// current output target.
bool must_escape(const Options& options, const Output& output);

/// One record of a statement, prepared for decoding.
struct RecordPlan {
    using Run = void (*)(Decoder&, const Sample&, const RecordPlan&);
    Run run = nullptr;
    const Record* record = nullptr;
    /// bit of the sample's guard word that is set if this conditional record is present; 0 if it is always present
    uint64_t guard = 0;
    bool ends_speculation = false;
    format::BoundFormat format;
    std::vector<format::BoundFormat> formats; ///< for a printa() record: the format for each aggregation
    std::vector<const Datum*> truncatable;    ///< data that may be truncated (drop_stats.hpp)
};

struct StatementPlan {
    uint32_t data_size = 0;
    int guard_offset = -1, thread_offset = -1;
    bool prints_line = true, only_discards = false;
    std::vector<RecordPlan> records;

    /// Returns whether the sample contains the record, which is the case if the firing executed the record's action.
    bool has(const RecordPlan& record, const Sample& sample) const;
    /// Returns the thread in which the probe fired; empty if the sample does not record it. The thread's name points
    /// into the sample.
    output::FiringThread thread(const Sample& sample) const;
};

class Decoder {
public:
    /// Creates a decoder. All arguments must outlive the decoder.
    Decoder(ProbeSource& probes, Options& options, Output& output, const format::Environment& env,
            Aggregations& aggregations, Speculations& speculations, Losses& losses, output::Sink& sink);

    /// Builds the decoding plans of the statements; earlier plans are dropped. Fails if a schema contradicts itself.
    /// Must be called after the aggregations are open.
    Result<void> plan(const std::vector<StatementSchema>& statements);

    /// Makes messages about faults contain source locations. `schema` contains the locations and must outlive the
    /// decoder. `now` is CLOCK_MONOTONIC ns.
    void explain_faults(const Schema& schema, FaultMessages manner, uint64_t now)
    {
        faults_.explain(schema, manner, now);
    }
    /// Reports how many faults were only counted and not printed, at most once per period. `last`: no more samples will
    /// follow, so the remaining faults are reported too.
    void report_repeated_faults(uint64_t now, bool last) { faults_.report_repeated(now, last); }
    bool faults_are_quiet() const { return faults_.is_quiet(); }

    /// Decodes one sample and outputs its records. Ignores a malformed sample, which no statement of the program can
    /// have written. Returns false if the sample is lost because the stored samples of its speculation have reached
    /// specsize.
    bool handle(const Sample& sample);

    /// Returns whether the sample is printed immediately. Returns false for samples of speculations, and for samples of
    /// clauses that only discard a speculation.
    bool is_awaited(const Sample& sample) const;

    /// Returns whether the firing executed a freeze(), so that the stored samples must be printed.
    bool freezes(const Sample& sample) const;

    /// Returns the first failure that must end the run, such as an unreadable aggregation. Later calls do not return it
    /// again.
    Result<void> take_failure();

    // Members that the handlers of actions use too (actions.cpp):
    Options& options;
    Output& output;
    const format::Environment& env;
    Aggregations& aggregations;
    Speculations& speculations;
    output::Sink* sink; ///< receives the output; replaced by another sink while the trace has followers

    void keep_first_failure(Result<void> result);
    /// Ends a speculation. If `commit` is set, prints the records of the speculation now.
    void finish_speculation(uint32_t serial, bool commit);
    /// Reports an error of the consumer itself on stderr: "error in dt_clause_N for probe ID I (p:m:f:n): TEXT".
    void report_error(const Sample& sample, const std::string& text);

private:
    void print(const Sample& sample);
    void end_speculations(const Sample& sample);
    void report_fault(const Sample& sample);
    void count_truncated(const Sample& sample, const RecordPlan& record);

    Faults faults_;
    Losses& losses_;
    output::ProbeTexts probes_;
    std::vector<StatementPlan> plans_;
    std::optional<Error> failure_;
};

} // namespace dt::consume
