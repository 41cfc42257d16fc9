// bench measuring: compares methods to measure the cost of a BPF program with a measured loop.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench measuring with its arguments. `build` is the folder of dtrace. Always returns 0, because people judge the
/// measured values.
int run_measuring(const std::vector<std::string>& words, const std::string& build);

/// Prints a table of return probes. For each kind, it shows how many returns the probe sees when many calls sleep at
/// the same time, and how many losses it reports.
void print_return_probes(const std::string& build);

} // namespace dt::bench
