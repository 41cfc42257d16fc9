// bench limit: cost of tracing under -x maxcost, measured by the traced processes.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench limit with its arguments. `build` is the folder of dtrace. Returns 0 regardless of the figures.
int run_limit(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
