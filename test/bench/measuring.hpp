// bench measuring: what the ways to measure a BPF program say of one clause, beside what the loop says.
#pragma once

#include <string>
#include <vector>

namespace dt::bench {

/// The words behind it. `build` is where dtrace is. Status 0 whatever the figures are.
int run_measuring(const std::vector<std::string>& words, const std::string& build);

/// Prints a table: of many calls that sleep at once, how many returns each kind of return probe sees, and what is told
/// of the rest.
void print_return_probes(const std::string& build);

} // namespace dt::bench
