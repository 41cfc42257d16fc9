// `bench filters`: what filters cost, in the kernel and in user space.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

/// bench filters [--docs | --out FOLDER] [--rounds N] [--dtrace FILE] [--user] [--check]; the exit status. --user:
/// nothing in the kernel.
///   --docs    rewrites docs/performance.md's part and docs/filters of the source tree
///   --dtrace  another build's
///   --check   measures nothing: do all evaluators agree?
int run(const std::vector<std::string>& arguments);

/// Every evaluator must give the verdicts of the oracle on made-up events, and the kernel's programs must count as
/// many. Without `dtrace` only user space is checked. The exit status.
int check(const std::string& dtrace);

} // namespace dt::bench::filters
