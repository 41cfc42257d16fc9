// bench cost --with cost: what -x cost adds to the cost table, in one process.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Prints a row for each script, or for those of Bench::cost_rows.
void measure_cost_gates(const Bench& bench);

} // namespace dt::bench
