// bench cost --with cost: measures what -x cost adds to the cost of the scripts in the cost table, in one process.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Measures each script and prints its row. Bench::cost_rows restricts the scripts by name; if it is empty, all are
/// measured.
void measure_cost_gates(const Bench& bench);

} // namespace dt::bench
