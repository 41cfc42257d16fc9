// `bench filters`: cost of filters in the kernel and in user space.
#pragma once

#include <string>
#include <vector>

namespace dt::bench::filters {

/// Runs bench filters [--docs | --out FOLDER] [--rounds N] [--dtrace FILE] [--user] [--interpreted] [--lttng FOLDER]
/// [--check] and returns the exit status. --user: only user space.
///   --docs    rewrites docs/filters.md and docs/filters of the source tree
///   --dtrace  uses another build's dtrace
///   --lttng   compares user space with the LTTng of a folder made by test/newest, in a section of its own
///   --interpreted  measures kernel programs with the JIT compiler on and off, in a section of its own
///   --check   only checks that all implementations of a filter agree
int run(const std::vector<std::string>& arguments);

/// Checks that every implementation of a filter agrees with the reference filter on synthetic events, and that BPF
/// programs count the expected number of kernel events. If `dtrace` is empty, checks only user space. Returns the exit
/// status.
int check(const std::string& dtrace);

} // namespace dt::bench::filters
