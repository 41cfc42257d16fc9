// -x firings: how every firing of every probe ended, and every run of every clause.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "bpf-runtime/abi.h"
#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/consume/ring.hpp"
#include "libdtrace/output/firings.hpp"

namespace dt::consume {

/// The counters of an object's probes and clauses.
struct FiringCounters {
    std::vector<CountedProbe> probes; ///< Schema::counted
    uint32_t sets = 0;
    const dt_firings* memory = nullptr; ///< the CPUs' sets one after the other
    std::size_t statements = 0;
    uint32_t clause_sets = 0;
    const dt_firings* clause_memory = nullptr; ///< likewise, by number of the statement
    uint32_t sampling_sets = 0;
    const dt_sampling* sampling = nullptr; ///< likewise, as those of probes; null: without maxcost
};

/// Firings that programs counted as recorded, and samples of which the consumer threw away: they are lost.
class ThrownFirings {
public:
    explicit ThrownFirings(bool wanted) : wanted_(wanted) {}

    using Seen = std::set<std::pair<uint32_t, uint32_t>>; ///< CPUs and probes of samples that were thrown away
    /// Counts the sample's clause, which sends one, and its firing, unless the samples it had before are among those of
    /// its CPU and probe that are `seen`, in the order they were sent.
    void add(const Sample& sample, Seen& seen);

    uint64_t of(uint32_t probe) const;
    /// A sample of ERROR is of no clause: it is the one that failed which fired.
    uint64_t of_clause(uint32_t statement) const;

private:
    bool wanted_;
    std::map<uint32_t, uint64_t> by_probe_, by_clause_;
};

/// Of which probes: those that did not fire may be tens of thousands.
enum class Firing : uint8_t { All, Seen };

/// Sums of the counters of all objects, what fired most first.
/// `cpu`: of one CPU only, where there are counters for each.
std::vector<output::Firings> firings_by_probe(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown,
                                              std::optional<uint64_t> cpu, ProbeSource& probes,
                                              Firing which = Firing::All);
/// Likewise of the clauses that their probes run.
std::vector<output::Firings> firings_by_clause(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown,
                                               std::optional<uint64_t> cpu,
                                               std::span<const StatementSchema> statements);

/// When nothing fires any more: every firing of these that began ended in one way, and to what firings were lost is in
/// the ledger. The error says which of them breaks that.
Result<void> check_firings(const std::vector<output::Firings>& all, const Ledger& ledger);

} // namespace dt::consume
