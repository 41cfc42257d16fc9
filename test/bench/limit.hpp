// bench limit: cost of tracing under -x maxcost, measured by the traced processes.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench limit with its arguments. `build` is the folder of dtrace. Always returns 0, because people judge the
/// measured values.
int run_limit(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
