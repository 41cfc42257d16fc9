// How every firing of a probe ended (-x firings).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace dt::output {

struct Firings {
    uint32_t id = 0;
    std::string probe;
    uint64_t fired = 0; ///< as programs began
    uint64_t filtered = 0, recorded = 0, lost = 0;
    uint64_t passed_by = 0; ///< to keep maxcost: others stand for them

    /// What is true when nothing runs.
    bool adds_up() const { return fired == filtered + recorded + lost + passed_by; }
};

/// Lines for a person: a heading, those that fired, and how many did not. What was passed by has a column where there
/// is some.
std::string firings_table(std::span<const Firings> probes);

} // namespace dt::output
