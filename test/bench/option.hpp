// bench option: what an option of dtrace adds to the cost table.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Prints a row for each script, or for those of Bench::cost_rows: what it costs without and with `-x option`.
void measure_option(const Bench& bench, const std::string& option);

} // namespace dt::bench
