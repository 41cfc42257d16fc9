// Reports about the trace itself, not about the traced programs: notes, losses, costs and firings. Write errors of the
// output are reported here too, when they occur.
//
// Each report goes to standard error for people and to the sink for programs. Most are printed at the end; costs also
// on a timer.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/cost/cost_counters.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/losses/drop_messages.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/losses/hit_counts.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/annotation.hpp"

namespace dt::consume {

class EngineSource; // forward declaration; engine_source.hpp defines the class

class RunReport {
public:
    /// callback that returns the annotated program, given the cost of tracing.
    using Annotate = std::function<output::Annotation(const output::CostReport&)>;
    using UnmappedMemory = std::function<OtherMemory()>;

    /// All arguments must outlive this object. `losses` counts all losses, including those of samples that the consumer
    /// dropped.
    RunReport(const Schema& schema, ProbeSource& probes, const Options& options, Output& output, output::Sink& sink,
              Losses& losses, UnmappedMemory memory)
        : schema_(schema), probes_(probes), options_(options), output_(output), sink_(sink), losses_(losses),
          other_memory_(std::move(memory))
    {
    }

    /// Opens the counters that an object's programs write. Call it once for each object of a trace; `added` is that
    /// object's own schema.
    Result<void> open(const LoadedMaps& maps, const Schema& added);
    /// Adds the counters that a user-space engine writes for the first object. `engine` must outlive this object. Call
    /// it after open() for the first object.
    void add(const EngineSource& engine);
    /// Sets the hook overhead; call it before the first report.
    void set_hook_overheads(HookOverheads overheads) { costs_.know(std::move(overheads)); }

    /// Sets the upper bound of the trace's memory, which is part of the report; call it before the first report.
    void set_memory_bound(output::MemorySum most) { costs_.know(most); }
    /// Sets the sizes of all objects' clauses; must be called again when clauses were added.
    void set_clause_sizes(ClauseSizes sizes) { costs_.know(std::move(sizes)); }
    /// Sets the function that extrapolates the firing counts of sampled programs for each cost report.
    void estimate_firings(std::function<CostEstimate()> estimate) { costs_.estimate_with(std::move(estimate)); }
    /// Sets the function that annotates the program at the end. Requires -x annotate; call it before finish().
    void annotate_with(Annotate annotate) { annotate_ = std::move(annotate); }

    /// Sets the start time of tracing (CLOCK_MONOTONIC ns).
    void begin(uint64_t now);
    /// Prints the periodic reports that are due.
    void pass(uint64_t now);
    /// Reports the current drop counts and costs if their options are set. They are reported again at the end. If
    /// `reproducible` is set, times are omitted.
    void report_so_far(uint64_t now, bool reproducible);
    /// Returns the time at which pass() next will print a report, or UINT64_MAX if no report is due.
    uint64_t due() const;
    /// Records that the probes no longer fire, and that they were enabled for `ns` nanoseconds.
    void was_active(uint64_t ns)
    {
        active_ = ns;
        costs_.end(ns);
    }
    /// Reports the notes `last` and everything else that is due at the end; call it after the last record. Fails if
    /// option check_hits is set and the firings do not add up. If `reproducible` is set, times are omitted.
    Result<void> finish(const std::function<std::vector<output::Note>()>& last, bool reproducible);

    /// Reports a note immediately, on standard error and to the sink.
    void tell(const output::Note& note);

    std::vector<output::HitCounts> firings(Firing which) const;
    std::vector<output::HitCounts> clause_firings() const;
    output::CostReport costs(uint64_t now) const;

private:
    void estimate_missed_ticks();
    void report_drops(const std::vector<output::DropRow>& rows, bool reproducible);
    void report_losses(bool reproducible);
    void report_costs(uint64_t now);
    void report_annotation(uint64_t now);
    Result<void> open_firings(const LoadedMaps& maps, const Schema& added);
    Result<void> report_hits();

    const Schema& schema_;
    ProbeSource& probes_;
    const Options& options_;
    Output& output_;
    output::Sink& sink_;
    Losses& losses_;
    const UnmappedMemory other_memory_;
    /// Counters of firings and of sampling, up to three sections per loaded object. The memory is mapped only while a
    /// report reads it.
    mutable std::deque<SharedMap> memory_;
    std::vector<HitCounters> firings_;
    Costs costs_;
    Annotate annotate_;
    uint64_t began_ = 0, last_cost_ = 0;
    uint64_t active_ = 0; ///< time in ns for which the probes were enabled
};

// Reports write errors of the output once, while the run continues, and counts the records that were lost.

class OutputErrors {
public:
    /// All arguments must outlive this object. Losses of `output` before this run are ignored.
    OutputErrors(const Options& options, Output& output, RunReport& run_report, DropStats& drops)
        : options_(options), output_(output), run_report_(run_report), drops_(drops), begin_(output.unwritten()),
          refused_before_(output.refused()), before_(begin_)
    {
    }

    /// Reports new problems; call it after each pass. `now` is CLOCK_MONOTONIC ns.
    void tell(uint64_t now);
    void report_reopen_failure(const Error& why);

    /// Adds the records whose output failed up to now to the drop counts. Must be called after the last record, and
    /// before the drop counts are reported.
    void settle(uint64_t now);
    /// Reports the total losses after the last output.
    void finish(uint64_t now);

    /// Returns whether all output was written and all entries were accepted.
    bool is_whole() const { return lost() == 0 && output_.unwritten().bytes == begin_.bytes; }

private:
    uint64_t refused() const { return output_.refused().entries - refused_before_.entries; }
    uint64_t lost() const { return output_.unwritten().records - begin_.records + refused(); }
    void enter(uint64_t now);
    void check(uint64_t now);
    void report_recovery();
    void report_unwritten(int reason) const;
    void report_refused() const;

    const Options& options_;
    Output& output_;
    RunReport& run_report_;
    DropStats& drops_;
    /// Output losses before the run, which do not count. `refused_before_` is the number of entries that the socket
    /// refused before the run.
    const Output::Unwritten begin_;
    const Output::Refused refused_before_;
    uint64_t entered_ = 0;     ///< number of lost output records that were already added to the drop counts
    uint64_t checked_ = 0;     ///< time when check() last ran (CLOCK_MONOTONIC ns)
    bool is_blocked_ = false;  ///< whether the output stream is blocked and the user was informed of it
    Output::Unwritten before_; ///< amount of unwritten output that the last message reported
    int reason_ = 0;           ///< errno of the last write at the end of the run, if it failed
};

} // namespace dt::consume
