// Reads the times and counts that BPF programs record for -x cost. Also extrapolates the counts of sampling windows,
// and defines the sizes of clauses, which the report shows too.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/interface/probes.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/results/cost_report.hpp"

// How to extrapolate firing counts for -x cost, if a program counts its firings only in sampling windows.

namespace dt::consume {

/// Extrapolates the number of all firings from the firings that programs count while their timing switch
/// (dt_timing_switch) is on.
struct SampledCount {
    /// The number of all firings is the sum of the sampled firings' weights, multiplied by this factor.
    double factor = 1;
    /// Relative standard deviation of the number of firings, from the variation between sampling windows.
    double error = 0;
    double weight = 1; ///< fixed weight: number of firings that one sampled firing stands for
};

using SampledCounts = std::array<SampledCount, DT_TIMING_SWITCHES>;

/// The extrapolation factors of all timing switches (words that turn counting on and off), for the time from the start
/// of the trace up to now.
struct CostEstimate {
    SampledCounts timing_switches{};
    double speed = 0; ///< mean result of cpu_speed_here() in ns on the CPUs where probes fired; 0 if not measured
};

// Size of a clause in the kernel, for the report of -x cost.

struct ClauseSize {
    uint64_t instructions = 0; ///< BPF instructions including called functions, in the largest of the clause's programs
    /// Stack depth in bytes, from the start of the program to the deepest call. If several programs contain the clause,
    /// the largest of their depths.
    uint32_t stack = 0;
    std::set<uint32_t> maps; ///< ids of the maps that the clause uses, in all its programs
};

using ClauseSizes = std::map<uint32_t, ClauseSize>; ///< the size of each clause; the map's key is the statement id

/// The hook overhead in ns for each kind of hook for which it was measured. Hook overhead is the time that a firing
/// costs outside of its program.
using HookOverheads = std::map<HookKind, output::HookOverhead>;

/// Counters that an object's programs write.
struct CostCounters {
    std::vector<CountedProbe> places; ///< counted probes, one per counter slot (Schema::counted)
    uint32_t sets = 0; ///< number of counter sets: one per CPU, or 1 if all CPUs share a set (Schema::cost_sets)
    const dt_cost* costs = nullptr; ///< the cost counters of all counter sets, one set after the other
    std::size_t statements = 0;
    const dt_cost_times* times = nullptr; ///< time distributions: one per statement, then one per counter slot
    bool times_of_places = false;         ///< whether `times` also contains time distributions of the counter slots
    /// number of counter sets in `sampling` (Schema::sampling_sets): one per CPU, or 1 if all CPUs share a set
    uint32_t sampling_sets = 0;
    const dt_sampling* sampling = nullptr; ///< sampling counters of all sets; null without maxcost
    /// Further counter slots, for program runs in which no probe fires (Schema::others).
    std::vector<CountedOthers> others{};
    SampledCounts timing_switches{};

    /// returns the number of slots in a counter set
    std::size_t stride() const { return places.size() + others.size(); }
};

/// Kernel memory of a trace in bytes that does not belong to the objects' own maps.
struct OtherMemory {
    uint64_t buffers = 0;
    /// memory in bytes of the inner maps of each map of maps; the key is the outer map's name
    std::map<std::string, uint64_t> grown;
};

/// Returns a quantile of the firings' times in ns. `part` is the fraction of firings with smaller times, 0 to 1; 0.5
/// yields the median.
double quantile(const dt_cost_times& times, double part);

/// Returns the mean time in ns of firings that nothing interrupted: only times up to a few times the median are
/// included. Returns 0 if there are no firings.
double usual_time(const dt_cost_times& times);

class Costs {
public:
    /// Opens the counters that an object's programs write; must be called once for each object of a trace. Has no
    /// effect without -x cost.
    Result<void> open(const LoadedMaps& maps, const Schema& schema);
    /// Adds counters that a user-space engine writes for the first object. The counters must outlive this object. Has
    /// no effect if the pointers are null.
    void add(const dt_cost* costs, const dt_cost_times* times);
    bool is_open() const { return !counters_.empty(); }

    /// Sets the start time of tracing (CLOCK_MONOTONIC ns).
    void begin(uint64_t now);
    /// Records that the probes stopped firing after `active` ns. Later reports divide by this time to compute rates per
    /// second.
    void end(uint64_t active);
    void know(HookOverheads overheads) { overheads_ = std::move(overheads); }
    void know(output::MemorySum most) { max_memory_ = most; }
    void know(ClauseSizes sizes) { sizes_ = std::move(sizes); }
    void estimate_with(std::function<CostEstimate()> estimate) { estimate_ = std::move(estimate); }

    /// Returns the report of all probes that fired. `now` is CLOCK_MONOTONIC ns.
    output::CostReport report(uint64_t now, std::span<const StatementSchema> statements, ProbeSource& probes,
                              const OtherMemory& other) const;

private:
    struct Map {
        int descriptor = -1;
        std::string name;
    };
    std::map<uint32_t, uint64_t> memory_of_maps(const OtherMemory& other) const;

    mutable std::deque<SharedMap> memory_; ///< memory of the counters, mapped only while a report is made
    std::vector<CostCounters> counters_;
    std::map<uint32_t, Map> maps_; ///< maps of all objects by id, because objects share maps
    ClauseSizes sizes_;
    std::function<CostEstimate()> estimate_;
    HookOverheads overheads_;
    output::MemorySum max_memory_;
    uint64_t began_ = 0, time_before_ = 0;
    /// Time in ns for which the probes were active, and this process's CPU time in ns when they stopped. Both are 0
    /// while tracing continues.
    uint64_t active_ = 0, time_until_end_ = 0;
};

/// Converts hook overheads to the speed of another CPU. `speed` is the time in ns that the loop of cpu_speed_here()
/// takes on that CPU.
HookOverheads overheads_at(HookOverheads overheads, double speed);

/// Returns the costs summed over CPUs and objects, highest first.
std::vector<output::Cost> costs_by_probe(const std::vector<CostCounters>& counters, const HookOverheads& overheads,
                                         ProbeSource& probes);
/// Returns the costs of program runs in which no probe fires, one row per kind of hook. For example, a hook of all
/// system calls also runs at system calls that have no probe.
std::vector<output::Cost> costs_of_others(const std::vector<CostCounters>& counters, const HookOverheads& overheads);
std::vector<output::Cost> costs_by_clause(const std::vector<CostCounters>& counters,
                                          std::span<const StatementSchema> statements);

/// Sets the size of each clause. `maps` contains the size of each map in bytes, by map id.
void add_sizes(std::vector<output::Cost>& clauses, const ClauseSizes& sizes, const std::map<uint32_t, uint64_t>& maps);

} // namespace dt::consume
