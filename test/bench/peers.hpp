// bench peers: compares dtrace with other tracers in a folder that test/newest has filled.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench peers FOLDER [--rounds N] [--markdown FILE] [ROWS...]. ROWS are names of the cost table or startup,
/// attach, memory, lost; default: all. `build` is the folder of dtrace.
int run_peers(const std::vector<std::string>& arguments, const std::string& build);

} // namespace dt::bench
