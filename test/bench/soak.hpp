// bench soak: a service with many scripts that runs for a long time.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench soak with its arguments. `build` is the folder of dtrace and the test programs. Returns 1 if some firings
/// were neither filtered, recorded nor lost, or if the service did not answer a request.
int run_soak(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
