// bench measuring: compares methods to measure the cost of a BPF program with a measured loop.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// Runs bench measuring with its arguments. `build` is the folder of dtrace. Returns 0 regardless of the figures.
int run_measuring(const std::vector<std::string>& words, const std::string& build);

/// Prints a table: the number of returns that each kind of return probe sees when many calls sleep at the same time,
/// and the number of losses that the probe reports.
void print_return_probes(const std::string& build);

} // namespace dt::bench
