// bench option: cost of a dtrace option for the rows of the cost table.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Prints the cost without and with `-x option` for each script, or only for the scripts named in Bench::cost_rows.
void measure_option(const Bench& bench, const std::string& option);

} // namespace dt::bench
