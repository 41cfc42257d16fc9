// -x cost: reads what programs have timed.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/probes.hpp"
#include "libdtrace/consume/clause_size.hpp"
#include "libdtrace/consume/gate_estimate.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/output/costs.hpp"

namespace dt::consume {

/// Ns that a firing takes outside of its program, as far as it is known.
using OutsidePrices = std::map<HookKind, output::OutsidePrice>;

/// What an object's programs write.
struct CostCounters {
    std::vector<CountedProbe> places; ///< Schema::counted
    uint32_t sets = 0;                ///< Schema::cost_sets
    const dt_cost* costs = nullptr;   ///< sets one after the other
    std::size_t statements = 0;
    const dt_cost_times* times = nullptr;  ///< of the statements, then of the places
    bool times_of_places = false;          ///< they are there
    uint32_t sampling_sets = 0;            ///< Schema::sampling_sets
    const dt_sampling* sampling = nullptr; ///< null: without maxcost
    std::vector<CountedOthers> others{};   ///< Schema::others
    GateEstimates gates{};

    std::size_t stride() const { return places.size() + others.size(); } ///< of a set
};

/// Bytes of the kernel that are in no map of the objects.
struct OtherMemory {
    uint64_t buffers = 0;
    std::map<std::string, uint64_t> grown; ///< what is behind a map that holds other maps, by its name
};

/// Where the value is below which so great a part of the firings is, in ns; `part` from 0 to 1.
double quantile(const dt_cost_times& times, double part);

/// Ns that a firing takes which nothing interrupts: the mean of those that are no several times as long as the middle
/// one. 0: there is none.
double usual_time(const dt_cost_times& times);

class Costs {
public:
    /// Once for each object of a trace. Nothing without -x cost.
    Result<void> open(const LoadedMaps& maps, const Schema& schema);
    /// Of the first of them, what somebody else's programs write, who must outlive this. Nothing where they are null.
    void add(const dt_cost* costs, const dt_cost_times* times);
    bool is_open() const { return !counters_.empty(); }

    /// Tracing begins.
    void begin(uint64_t now);
    /// Probes have stopped firing, after so many ns: rates are of those, however long the rest of the run takes.
    void end(uint64_t active);
    void know(OutsidePrices prices) { prices_ = std::move(prices); }
    void know(output::MemorySum most) { most_memory_ = most; }
    void know(ClauseSizes sizes) { sizes_ = std::move(sizes); }
    void estimate_with(std::function<CostEstimate()> estimate) { estimate_ = std::move(estimate); }

    /// Those that fired since. `now`: CLOCK_MONOTONIC ns.
    output::CostReport report(uint64_t now, std::span<const StatementSchema> statements, ProbeSource& probes,
                              const OtherMemory& other) const;

private:
    struct Map {
        int descriptor = -1;
        std::string name;
    };
    std::map<uint32_t, uint64_t> memory_of_maps(const OtherMemory& other) const;

    mutable std::deque<SharedMap> memory_; ///< of the counters; hidden
    std::vector<CostCounters> counters_;
    std::map<uint32_t, Map> maps_; ///< of all objects, by id: they share some
    ClauseSizes sizes_;
    std::function<CostEstimate()> estimate_;
    OutsidePrices prices_;
    output::MemorySum most_memory_;
    uint64_t began_ = 0, time_before_ = 0;
    uint64_t active_ = 0, time_until_end_ = 0; ///< ns; 0: tracing goes on
};

/// What they are where pace_here() takes so many ns (output::OutsidePrice::at).
OutsidePrices prices_at(OutsidePrices prices, double pace);

/// Sums over CPUs and objects; the dearest first.
std::vector<output::Cost> costs_by_probe(const std::vector<CostCounters>& counters, const OutsidePrices& prices,
                                         ProbeSource& probes);
/// What programs were called for in vain, each kind of hook together: of all calls of the machine one may be the
/// probe's.
std::vector<output::Cost> costs_of_others(const std::vector<CostCounters>& counters, const OutsidePrices& prices);
std::vector<output::Cost> costs_by_clause(const std::vector<CostCounters>& counters,
                                          std::span<const StatementSchema> statements);

/// Gives each clause its size. `maps`: bytes, by id.
void add_sizes(std::vector<output::Cost>& clauses, const ClauseSizes& sizes, const std::map<uint32_t, uint64_t>& maps);

} // namespace dt::consume
