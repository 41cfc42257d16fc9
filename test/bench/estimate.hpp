// bench estimate: compares the cost predicted by dtrace --estimate with the cost reported by -x cost.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench estimate with its arguments. `build` is the folder of dtrace. Always returns 0, because people judge the
/// measured values.
int run_estimate(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
