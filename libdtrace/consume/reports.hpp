// What is told of a trace itself, not of what it traces: notes, what was lost, what it cost, how firings ended.
//
// Each goes to standard error for people and to the sink for programs; most of it at the end, costs on a timer too.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/costs.hpp"
#include "libdtrace/consume/firings.hpp"
#include "libdtrace/consume/losses.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/annotation.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class ApplicationHalf; // application_half.hpp

class Reports {
public:
    /// What a clock saw of the programs, given what tracing has cost.
    using Annotate = std::function<output::Annotation(const output::CostReport&)>;
    using MemoryBeside = std::function<OtherMemory()>;

    /// All must outlive this. `losses` has the ledger and what the consumer threw away.
    Reports(const Schema& schema, ProbeSource& probes, const Options& options, Output& output, output::Sink& sink,
            Losses& losses, MemoryBeside memory)
        : schema_(schema), probes_(probes), options_(options), output_(output), sink_(sink), losses_(losses),
          memory_beside_(std::move(memory))
    {
    }

    /// Once for each object of a trace: finds the counters that its programs write. `added`: the schema that is its
    /// own.
    Result<void> open(const LoadedMaps& maps, const Schema& added);
    /// What a program counts of the first object, which it must not outlive. After that is open.
    void add(const ApplicationHalf& half);
    /// Prices of what is outside of programs, before anything is told.
    void know_prices(OutsidePrices prices) { costs_.know(std::move(prices)); }

    /// The most memory that the trace can take, likewise.
    void know_bound(output::MemorySum most) { costs_.know(most); }
    /// What the clauses of all objects are made of, each time there is another.
    void know_sizes(ClauseSizes sizes) { costs_.know(std::move(sizes)); }
    /// Who tells, whenever costs are told, what counters of sampled firings stand for.
    void estimate_firings(std::function<CostEstimate()> estimate) { costs_.estimate_with(std::move(estimate)); }
    /// With -x annotate, before finish(): who says it at the end.
    void annotate_with(Annotate annotate) { annotate_ = std::move(annotate); }

    /// Tracing begins (CLOCK_MONOTONIC ns).
    void begin(uint64_t now);
    /// Tells what is due every so often.
    void pass(uint64_t now);
    /// As they are now, and will be told again: the ledger and the costs, if they are to be told. `reproducible`:
    /// without times.
    void tell_so_far(uint64_t now, bool reproducible);
    /// When pass() has something to tell; UINT64_MAX: never.
    uint64_t due() const;
    /// Probes have stopped firing, after so many ns.
    void was_active(uint64_t ns)
    {
        active_ = ns;
        costs_.end(ns);
    }
    /// When nothing is recorded any more: tells `last`, and everything that is told at the end. Fails when firings do
    /// not add up and the run is one that checks them. `reproducible`: without times.
    Result<void> finish(const std::function<std::vector<output::Note>()>& last, bool reproducible);

    /// At once, to both.
    void tell(const output::Note& note);

    std::vector<output::Firings> firings(Firing which) const;
    std::vector<output::Firings> clause_firings() const;
    output::CostReport costs(uint64_t now) const;

private:
    void estimate_skipped_ticks();
    void tell_ledger(const std::vector<output::LedgerRow>& rows, bool reproducible);
    void tell_losses(bool reproducible);
    void tell_costs(uint64_t now);
    void tell_annotation(uint64_t now);
    Result<void> open_firings(const LoadedMaps& maps, const Schema& added);
    Result<void> tell_firings();

    const Schema& schema_;
    ProbeSource& probes_;
    const Options& options_;
    Output& output_;
    output::Sink& sink_;
    Losses& losses_;
    const MemoryBeside memory_beside_;
    mutable std::deque<SharedMap> memory_; ///< of firings and of the gate in front of them, of each object; hidden
    std::vector<FiringCounters> firings_;
    Costs costs_;
    Annotate annotate_;
    uint64_t began_ = 0, last_cost_ = 0;
    uint64_t active_ = 0; ///< ns
};

} // namespace dt::consume
