// bench scale: measures how large D programs may become.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench scale with its arguments. `build` is the folder of dtrace. Returns 1 if the kernel refused a program.
int run_scale(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
