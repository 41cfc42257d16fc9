// bench option: cost of a dtrace option for the rows of the cost table.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Prints for each script, or for those in Bench::cost_rows, the cost without and with `-x option`.
void measure_option(const Bench& bench, const std::string& option);

} // namespace dt::bench
