// bench churn: memory that a tracer keeps for ended processes.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench churn with its arguments. `build` is the folder of dtrace and the test programs. Returns 0 regardless of
/// the figures.
int run_churn(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
