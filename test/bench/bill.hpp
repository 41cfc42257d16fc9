// bench bill: what the tracer says that tracing costs (-x cost) beside what the loop says.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// The words behind it. `build` is where dtrace is. Status 0 whatever the figures are.
int run_bill(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
