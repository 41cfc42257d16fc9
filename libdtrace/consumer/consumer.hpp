// The consumer reads the samples and aggregations of one run and prints them. Order and wording of the output are the
// same as in the original DTrace.
//
// The kernel wakes the consumer when a perf buffer reaches its watermark, never for each event
// (docs/decisions/14-time-order.md). A bounded poll interval keeps the delay short.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/aggregations/restored_aggregations.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/losses/kernel_losses.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/cost_report.hpp"
#include "libdtrace/results/drop_report.hpp"

namespace dt {
class LoadedMaps;
}
namespace dt::consume {
class EngineSource; // forward declaration; engine_source.hpp defines the class
class RunReport;    // forward declaration; run_report.hpp defines the class
} // namespace dt::consume
namespace dt::output {
class Follower;   // forward declaration; follower.hpp defines the class
class MetricPage; // forward declaration; metric_page.hpp defines the class
} // namespace dt::output

namespace dt {

class RunResults;
class ControlGroups; // defined in cgroups.hpp: names of control groups
class Symbols;       // defined in symbols.hpp: names of kernel and user addresses
class Output;        // defined in output.hpp: the output stream (-o, freopen, ftruncate), which remembers write errors

/// Returns whether the output must be reproducible, because the environment variable DTRACE_REPRODUCIBLE is set and not
/// empty. Such output lacks the CPU and ID columns, and the empty line before exit.
bool reproducible_output();

class Consumer {
public:
    /// Creates a consumer, but opens nothing. All arguments passed by reference must outlive the consumer. setopt()
    /// changes the consumer's copy of `options`. `target` is the process to which user addresses without a process id
    /// belong, or 0. `make_sink` creates the sink for the output.
    Consumer(const Object& object, ProbeSource& probes, int64_t target, Options options, Output& output,
             Symbols& symbols, const output::SinkMaker& make_sink = output::make_sink);
    ~Consumer();

    /// Sets the source of control group names, which must outlive the consumer. Call it before open(), or later, when a
    /// program that prints such names is added to the trace.
    void set_cgroup_names(ControlGroups& cgroups);

    /// Adds the part of the trace that a process runs in its user-space engine. Call it before open(). `engine` must
    /// outlive the consumer.
    void add_engine(consume::EngineSource& engine);

    /// Allows restore() to be called after open(), until the first pass. Call it before open().
    void expect_restored_values();
    /// Restores aggregations from the values of a previous run, which are found by name in `values` and removed from
    /// there. Call it before open(). Returns the name and the reason for each aggregation that cannot be restored.
    std::vector<std::string> restore(std::map<std::string, consume::AggregationValues>& values);
    /// Returns the final values of the aggregations. Call it after finish().
    Result<std::vector<consume::AggregationValues>> values();

    /// Opens the perf buffers and maps of the loaded object; must be called before BEGIN runs. `end_statements` and
    /// `error_statements` are the ids of the statements of END and ERROR. `may_extend` says whether extend() may be
    /// called later. Error texts complete the message "could not enable tracing: …".
    Result<void> open(const LoadedMaps& maps, const std::vector<uint32_t>& end_statements,
                      const std::vector<uint32_t>& error_statements, bool may_extend);

    /// Adds the schema of another object, whose programs use the maps of the first object and write samples too.
    /// `added` is the other object's own schema.
    Result<void> extend(const LoadedMaps& maps, const Schema& added);

    /// Adds the losses that `kernel` counts to the drop counts; `kernel` must outlive the consumer.
    void watch(KernelLosses& kernel);

    /// Runs one pass without waiting: makes room for aggregation keys, prints new records in time order, checks drops.
    /// An error is fatal ("processing aborted: …", or a failed write).
    Result<void> pass();

    /// Prints all records so far, so that the buffers are empty when END runs. Enlarges the buffers if END's records
    /// need it. Call it after the last firing and before END runs.
    Result<void> prepare_end();

    /// Makes the next pass print and remove the records that bufpolicy=ring has retained.
    void request_flight_recorder();

    /// Opens buffers for CPUs that came online since open().
    Result<void> follow_cpus(const std::vector<int>& online);

    /// Runs the last pass, after END has run and all programs are detached. Prints the remaining records, the empty
    /// line, and the aggregations that were never printed. Then prints the notes that `last` returns.
    Result<void> finish(const std::function<std::vector<output::Note>()>& last);

    /// Hands the run over to another consumer while probes still fire. Call it instead of prepare_end() and finish().
    /// Prints the records so far and counts them as read, but prints no aggregations.
    Result<void> leave();

    /// Returns whether every record read so far is fully written to the output.
    bool has_written_all() const;

    /// Marks aggregation values as estimates in all later output, because firings were sampled.
    void note_estimates();
    /// Multiplies the counts, sums and distributions of each aggregation by a factor; `factors` is indexed by
    /// aggregation id. Call it after tracing has ended.
    void correct_estimates(const std::vector<double>& factors);

    /// Returns the object that reports about the run itself: notes, costs, and outcomes of firings.
    consume::RunReport& report();
    /// Returns the number of losses for each drop reason, as of the last pass.
    consume::DropStats& drops();
    RunResults results();

    /// Returns whether bufpolicy=fill is set and a CPU has no more room, so that the run must end.
    bool is_full() const;

    /// Returns the milliseconds until the next pass is due. Without switchrate: 0 while a buffer fills fast, else at
    /// most 100 ms, or 10 ms on a terminal. With switchrate: the rest of the switch period. In an idle trace: the time
    /// until other work is due. The last two are at most 1000 ms.
    int next_timeout_ms() const;
    /// Returns by how many milliseconds the next pass may be early. The event loop uses this to serve all traces in one
    /// wakeup.
    int timer_slack_ms() const;

    /// Enters or leaves the idle state. In this state, BPF programs wake the consumer after they have written a record.
    void set_idle(bool idle);

    /// Returns whether an idle consumer has nothing to do and needs no pass. Makes no system call.
    bool can_stay_idle();

    /// Returns whether the last pass printed output, or left samples for the next pass.
    bool had_output() const;

    /// Returns whether a kernel map is nearly full and a pass can enlarge it. The function is cheap, so it can be
    /// called often while the consumer sleeps.
    bool is_urgent() const;

    /// Returns a descriptor that is readable when a principal buffer has passed its watermark. A run loop that sleeps
    /// in poll(2) must include this descriptor; otherwise a burst may fill the buffers during the sleep. Returns -1
    /// before open(). Also returns -1 with switchrate, because passes must then not come early.
    int descriptor() const;

private:
    friend class RunResults;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The losses of a run, and the outcomes of its firings.
struct TraceDrops {
    std::vector<output::DropRow> causes; ///< losses for each drop reason, in the order of the table of -x drops
    std::vector<output::HitCounts> clauses, probes; ///< outcomes of firings with -x hits, the most frequent first
};

/// Provides the current results of a run to other parts of the process. Call the functions between passes, while the
/// consumer exists.
class RunResults {
public:
    explicit RunResults(Consumer::Impl& run) : run_(run) {}

    /// Returns the losses and the outcomes of firings, without losses since the last pass.
    TraceDrops losses() const;
    /// Returns the cost of tracing so far. Requires -x cost.
    output::CostReport costs() const;
    /// Makes the next pass print the records of bufpolicy=ring, all aggregations, and the tables of -x drops and -x
    /// cost. Aggregations and tables are printed again at the end.
    void show_so_far();
    /// Prints the current aggregations to another output in any format. The aggregations are not cleared, and are
    /// printed again at the end.
    Result<void> print_aggregations(Output& to, OutputFormat format);
    /// Passes each aggregation with its current values to sink.unprinted(), in the order in which the program names
    /// them.
    Result<void> show_aggregations(output::Sink& sink);
    /// Clears all aggregations, as clear() does.
    Result<void> clear_aggregations();
    /// Appends the current aggregations and the losses as metrics. `common` are labels of all samples. Requires option
    /// metrics, or a metrics format.
    Result<void> append_metrics(output::MetricPage& page, std::string_view common);
    /// From now on, sends records to another reader too, until that reader leaves or the run ends. Fails for output
    /// formats that are not a sequence of records.
    Result<void> add_follower(std::shared_ptr<output::Follower> follower);
    /// Reopens the file of -o, so that later output goes to a new file (Output::reopen()). A failure is reported, and
    /// output continues in the old file.
    void reopen_output();
    /// Records the user's first interrupt, so that later output starts on a new line after the terminal's ^C.
    void interrupted();

private:
    Consumer::Impl& run_;
};

} // namespace dt
