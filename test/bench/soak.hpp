// A service that many scripts trace in for long.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench soak: the words behind it. `build` is where dtrace and the test programs are. Status 1: some firings are not
/// accounted for, or the service could not be asked.
int run_soak(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
