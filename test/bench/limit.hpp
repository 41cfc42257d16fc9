// What tracing costs under -x maxcost, seen from the traced side.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench limit: the words behind it. `build` is where dtrace is. Status 0 whatever the figures are.
int run_limit(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
