// bench option: measures what a dtrace option adds to the cost of the scripts in the cost table.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Measures each script without and with `-x option`, and prints both costs. Bench::cost_rows restricts the scripts by
/// name; if it is empty, all are measured.
void measure_option(const Bench& bench, const std::string& option);

} // namespace dt::bench
