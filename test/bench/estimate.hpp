// bench estimate: what dtrace --estimate expects of scripts, beside what -x cost says of their runs.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// The words behind it. `build` is where dtrace is. Status 0 whatever the figures are.
int run_estimate(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
