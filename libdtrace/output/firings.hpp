// How every firing of a probe ended, and every run of a clause in it (-x firings).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dt::output {

/// Of a probe or a clause.
struct Firings {
    uint32_t id = 0;
    std::string name;
    uint64_t fired = 0; ///< as programs, or the clause in them, began
    uint64_t filtered = 0, recorded = 0, lost = 0;
    uint64_t passed_by = 0; ///< to keep maxcost: others stand for them

    /// What is true when nothing runs.
    bool adds_up() const { return fired == filtered + recorded + lost + passed_by; }
};

/// Lines for a person, clauses first: a heading, those that fired, and how many did not. What was passed by has a
/// column where there is some.
std::string firings_table(std::span<const Firings> clauses, std::span<const Firings> probes);

} // namespace dt::output
