// bench peers: compares dtrace with the other tracers in a folder of test/newest.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench peers FOLDER [--rounds N] [--markdown FILE] [ROWS...]. Rows: names in the cost table, startup, attach,
/// memory, lost; default: all. `build` is the folder of dtrace.
int run_peers(const std::vector<std::string>& arguments, const std::string& build);

} // namespace dt::bench
