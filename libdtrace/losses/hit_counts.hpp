// Counts for -x hits: the outcome of every firing of each probe, and of every run of each clause. Also estimates missed
// timer ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/results/drop_report.hpp"

namespace dt::consume {

/// The counters of an object's probes and clauses.
struct HitCounters {
    std::vector<CountedProbe> probes; ///< counted probes, one per counter slot (Schema::counted)
    uint32_t sets = 0;
    const dt_hits* memory = nullptr; ///< counters of all counter sets, one set after the other
    std::size_t statements = 0;
    uint32_t clause_sets = 0;
    /// Counters of clauses, indexed by statement id within a counter set. The sets follow one another.
    const dt_hits* clause_memory = nullptr;
    uint32_t sampling_sets = 0;
    /// Sampling counters, with a slot for each of `probes` in every counter set; null without maxcost.
    const dt_sampling* sampling = nullptr;
};

/// Counts firings that programs recorded, but whose samples the consumer dropped. They count as lost.
class DiscardedHits {
public:
    explicit DiscardedHits(bool wanted) : wanted_(wanted) {}

    using Seen = std::set<std::pair<uint32_t, uint32_t>>; ///< CPU and probe of each sample that was dropped so far
    /// Counts a dropped sample for its clause. Also counts its firing, unless another sample of the same firing was
    /// counted before. `seen` contains the CPU and probe of the samples dropped so far. Samples must be added in the
    /// order in which they were sent.
    void add(const Sample& sample, Seen& seen);

    uint64_t of(uint32_t probe) const;
    /// Returns how many samples of a clause the consumer has dropped. A sample of ERROR is counted for the clause that
    /// failed.
    uint64_t of_clause(uint32_t statement) const;

private:
    bool wanted_;
    std::map<uint32_t, uint64_t> by_probe_, by_clause_;
};

/// Selects the probes to return: all of them, or only those with firings. Tens of thousands of probes may have none.
enum class Firing : uint8_t { All, Seen };

/// Returns for each probe the sums of the counters of all objects, most firings first. `cpu` selects one CPU if
/// counters are per CPU.
std::vector<output::HitCounts> firings_by_probe(const std::vector<HitCounters>& counters,
                                                const DiscardedHits& discarded_hits, std::optional<uint64_t> cpu,
                                                ProbeSource& probes, Firing which = Firing::All);
/// Returns for each clause of the probes the sums of the counters of all objects, most firings first. `cpu` selects one
/// CPU if counters are per CPU.
std::vector<output::HitCounts> firings_by_clause(const std::vector<HitCounters>& counters,
                                                 const DiscardedHits& discarded_hits, std::optional<uint64_t> cpu,
                                                 std::span<const StatementSchema> statements);

/// Checks the counts after the last firing: each firing must have exactly one outcome, and `drops` must contain a drop
/// reason for every loss. The error message describes the violation.
Result<void> check_hits(const std::vector<output::HitCounts>& all, const DropStats& drops);

// Estimates missed timer ticks from the elapsed time.
//
// The kernel skips a perf event's program while another program runs on the CPU. Ticks are also missed while a
// hypervisor has stopped the CPU. The kernel counts neither, so the expected number is computed from the time. Late
// ticks that are repeated (struct dt_tick) are not missed.

/// Returns an estimate of the missed ticks. One missing tick per CPU is not counted, because tracing may have begun and
/// ended between two ticks. `firings` contains all probes (-x hits), `active` is the time in ns for which probes were
/// enabled, `cpus` the number of CPUs of profile-N.
uint64_t missed_ticks(std::span<const ProgramPlan> programs, std::span<const output::HitCounts> firings,
                      uint64_t active, uint64_t cpus);

} // namespace dt::consume
