// Outcome counts of probe firings, and of clause runs in them (-x firings).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dt::output {

/// Counts of a probe or a clause.
struct Firings {
    uint32_t id = 0;
    std::string name;
    uint64_t fired = 0; ///< counted at the start of the program, or of the clause in it
    uint64_t filtered = 0, recorded = 0, lost = 0;
    uint64_t passed_by = 0; ///< skipped by sampling to keep maxcost; other firings are weighted for them

    /// Returns whether the outcomes add up, which holds while no program is running.
    bool adds_up() const { return fired == filtered + recorded + lost + passed_by; }
};

/// Returns human-readable tables, first of clauses, then of probes. Rows that never fired are only counted. The column
/// PASSED BY appears only if a count is not zero.
std::string firings_table(std::span<const Firings> clauses, std::span<const Firings> probes);

} // namespace dt::output
