// The consumer: reads samples and aggregations of one run and prints them, in the order and the words DTrace users
// know.
//
// Perf buffers are woken by watermark, never once per event (docs/decisions/14-time-order.md); a bounded poll keeps the
// delay small.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "base/result.hpp"
#include "libdtrace/consume/carried.hpp"
#include "libdtrace/consume/clause_size.hpp"
#include "libdtrace/consume/gate_estimate.hpp"
#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/output/annotation.hpp"
#include "libdtrace/output/costs.hpp"
#include "libdtrace/output/firings.hpp"
#include "libdtrace/output/ledger.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt {
class LoadedMaps;
}
namespace dt::consume {
class ApplicationHalf; // application_half.hpp
}
namespace dt::output {
class Follower;   // follower.hpp
class MetricPage; // metric_page.hpp
} // namespace dt::output

namespace dt {

class ControlGroups; // cgroups.hpp: control group to text
class Symbols;       // symbols.hpp: kernel and user address to text
class Output;        // output.hpp: the output stream (-o, freopen, ftruncate), with write errors remembered

/// Whether the environment asks for output that does not differ from run to run (DTRACE_REPRODUCIBLE is set and not
/// empty): no CPU and ID columns, no empty line before exit.
bool reproducible_output();

class Consumer {
public:
    /// Nothing is opened yet. All references must outlive the consumer. `options` are those that setopt() finds;
    /// `target`: the process whose addresses are meant where no other is named, 0 if none. `make_sink`: where what is
    /// recorded goes.
    Consumer(const Object& object, ProbeSource& probes, int64_t target, Options options, Output& output,
             Symbols& symbols, const output::SinkMaker& make_sink = output::make_sink);
    ~Consumer();

    /// Before open(), or when a program with such names is added: where the names of control groups are. They must
    /// outlive the consumer.
    void name_cgroups(ControlGroups& cgroups);

    /// Before open() and what follows: a half of the trace that is in a program. It must outlive the consumer.
    void add_application(consume::ApplicationHalf& half);

    /// Before open(): begin_with() may come later, until the first pass.
    void await_values();
    /// Before open(): an aggregation begins with what a former run left of the one of its name, which is taken out of
    /// `values`. Returns of those that cannot do so the name, and why.
    std::vector<std::string> begin_with(std::map<std::string, consume::AggregationValues>& values);
    /// After finish(): what aggregations came to.
    Result<std::vector<consume::AggregationValues>> values();

    /// Opens the perf buffers and maps of the loaded object; before BEGIN runs. Fails with the text that follows
    /// "could not enable tracing: ".
    /// `end_statements`, `error_statements`: ids of the statements of END and ERROR.
    Result<void> open(const LoadedMaps& maps, const std::vector<uint32_t>& end_statements,
                      const std::vector<uint32_t>& error_statements);

    /// The object's schema has grown: another object, which uses the maps of the first, records. `added`: the schema
    /// that is its own.
    Result<void> extend(const LoadedMaps& maps, const Schema& added);

    /// Tells what `kernel` counts among the drops; it must outlive the consumer.
    void watch(KernelLosses& kernel);

    /// One consumer pass, which waits for nothing: makes room for aggregations, prints what came in time order, checks
    /// drops. An error is fatal ("processing aborted: …", output that cannot be written).
    Result<void> pass();

    /// When nothing fires any more, before END runs: prints everything so far, so that END finds empty buffers, and
    /// makes them larger when what END may record needs that.
    Result<void> prepare_end();

    /// The next pass prints what bufpolicy=ring keeps, which is kept no more.
    void ask_for_kept();

    /// So it does, and every aggregation as it is then, and with -x ledger and cost their tables; at the end
    /// aggregations and tables are printed again.
    void show_so_far();

    /// Prints every aggregation as it is now to another output, in any format, between two passes; nothing is cleared,
    /// and at the end they are printed again.
    Result<void> print_aggregations(Output& to, OutputFormat format);
    /// The same, each as unprinted() of a sink.
    Result<void> show_aggregations(output::Sink& sink);
    /// As clear() of each.
    Result<void> clear_aggregations();

    /// Between two passes: the aggregations as they are, as metrics, and what was lost. `common`: labels of all
    /// samples. Only with option metrics, or a format of metrics.
    Result<void> append_metrics(output::MetricPage& page, std::string_view common);
    /// What is recorded from now on is handed to another reader as well, until it leaves or this ends. Fails in formats
    /// that are no sequence of records.
    Result<void> add_follower(std::shared_ptr<output::Follower> follower);

    /// What is printed from now on goes to a file that is opened anew (-o). A failure is told, and changes nothing.
    void reopen_output();

    /// CPUs that have come online since open() get buffers.
    Result<void> follow_cpus(const std::vector<int>& online);

    /// Probes have fired for so many ns, and do not any more.
    void was_active(uint64_t ns);

    /// The last pass, after END ran and every program is detached: everything left, the empty line, the aggregations
    /// nobody printed. `last`: what is to be told behind it.
    Result<void> finish(const std::function<std::vector<output::Note>()>& last);

    /// In place of prepare_end() and finish(), while probes fire: prints what has come, which counts as read. What
    /// comes later is for another consumer. The aggregations are not printed.
    Result<void> leave();

    /// Whether all that was recorded is where output goes, as far as it was written.
    bool has_written_all() const;

    /// Says something of the run on standard error, and in outputs that have a place for it.
    void tell(const output::Note& note);

    /// Something else has lost that.
    void lose(consume::Cause cause, uint64_t count, consume::LossTime when);
    /// From now on some values of aggregations are estimates, and shown as such.
    void note_estimates();
    /// Sets the factors by which their counts, sums and distributions are multiplied, by id. Tracing has ended.
    void correct_estimates(const std::vector<double>& factors);

    /// What was lost so far, by cause, as of the last pass.
    std::vector<output::LedgerRow> ledger() const;
    /// With -x firings: how the firings ended so far of each probe that fired, and of each clause.
    std::vector<output::Firings> firings() const;
    std::vector<output::Firings> clause_firings() const;
    /// With -x cost: what tracing has cost so far. `prices`: of what is outside of programs, before open().
    output::CostReport costs() const;
    void know_bound(output::MemorySum most);
    /// What clauses are made of, whenever there are more.
    void know_sizes(consume::ClauseSizes sizes);
    void estimate_firings(std::function<consume::CostEstimate()> estimate);
    void know_prices(std::map<HookKind, output::OutsidePrice> prices);

    /// With -x annotate, before finish(): who says at the end what the clock saw, given what tracing has cost.
    void annotate_with(std::function<output::Annotation(const output::CostReport&)> annotation);

    /// The first interrupt came: what follows must not stand on the terminal's ^C line.
    void interrupted();

    /// With bufpolicy=fill: a buffer is full, and the run is to end.
    bool is_full() const;

    /// Milliseconds the run loop may sleep before the next pass is due: at most 100, on a terminal 10, and 0 when a
    /// buffer was filling fast; with switchrate until that much time has gone by, at most 1000. Resting until something
    /// else is due, at most 1000.
    int next_timeout_ms() const;
    /// How much earlier the pass may come if the loop is awake anyway: what wakes for one trace serves all.
    int early_ms() const;

    /// Programs ring when they have something to read, or do not any more.
    void set_resting(bool resting);

    /// In place of a pass of one that rests: whether there is nothing to do. Cheap, without a system call.
    bool rests_on();

    /// Whether the last pass, or what it left, had anything for the output.
    bool has_come() const;

    /// Whether something in the kernel is about to be full that a pass can make larger: cheap, to be asked often while
    /// sleeping.
    bool is_urgent() const;

    /// Becomes readable when a principal buffer has passed its watermark: a run loop that sleeps in its own poll(2)
    /// between passes must include it, or a burst fills the buffers while it sleeps. -1 before open(), and with
    /// switchrate (then nothing may come early).
    int descriptor() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
