// `bench filters`: what filters cost, in the kernel and in user space.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

/// bench filters [--docs | --out FOLDER] [--rounds N] [--dtrace FILE] [--user] [--interpreted] [--lttng FOLDER]
/// [--check]; the exit status. --user: nothing in the kernel.
///   --docs    rewrites docs/filters.md and docs/filters of the source tree
///   --dtrace  another build's
///   --lttng   user space beside the LTTng of a folder made by test/newest: a part of the text of its own
///   --interpreted  the kernel's programs with its compiler on and off: a part of the text of its own
///   --check   measures nothing: do all evaluators agree?
int run(const std::vector<std::string>& arguments);

/// Every evaluator must give the verdicts of the oracle on made-up events, and the kernel's programs must count as
/// many. Without `dtrace` only user space is checked. The exit status.
int check(const std::string& dtrace);

} // namespace dt::bench::filters
