// Other tracers side by side with dtrace: what of them a folder of test/newest has.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench peers FOLDER [--rounds N] [--markdown FILE] [ROWS...]: rows of the cost table, startup, attach, memory, lost;
/// default: all. `build` is the folder of dtrace.
int run_peers(const std::vector<std::string>& arguments, const std::string& build);

} // namespace dt::bench
