// What a tracer that is another program adds to a call: it is started and ended beside the loop.
#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>

#include "test/bench/cost.hpp"
#include "test/bench/tool.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

constexpr int kToolPatience = 120; ///< seconds until a tracer has begun: one of them reads the kernel's types for long

/// Files that a process has open; 0 when it is gone.
std::size_t open_files(pid_t pid);

/// Waits until calls of that number are traced, where an untraced one takes `untraced` ns. False: the tool has ended,
/// or has had no effect for kToolPatience.
bool wait_until_traced(const Tool& tool, double untraced, long number);

/// Ns by a tracer that is started with these words, and cannot be detached from outside; absent, and `problem` says
/// why, when it has no effect. What it loses is not asked. Its output goes to /dev/null: what a terminal costs is not
/// ours to measure.
double added_by_tool(TurnsLoop& loop, const Words& words, std::string& problem);

} // namespace dt::bench
