// bench cost --with cost: overhead of -x cost for the rows of the cost table, measured in one process.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Prints a row for each script, or only for the scripts named in Bench::cost_rows.
void measure_cost_gates(const Bench& bench);

} // namespace dt::bench
