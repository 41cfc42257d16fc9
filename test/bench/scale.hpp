// How large a program may be.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// bench scale: the words behind it. `build` is where dtrace is. Status 1 when the kernel refused a program.
int run_scale(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
