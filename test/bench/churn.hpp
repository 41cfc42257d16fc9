// What a tracer keeps of processes that are gone.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench churn: the words behind it. `build` is where dtrace and the test programs are. Status 0 whatever the figures
/// are.
int run_churn(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
