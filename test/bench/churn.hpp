// bench churn: measures how much memory a tracer keeps for processes that have ended.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench churn with its arguments. `build` is the folder of dtrace and the test programs. Returns 1 if arguments
/// are wrong or the user is not root, else 0 for any measured values, because people judge them.
int run_churn(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
