// Cost of an external tracer for a call: the tracer is started and ended while the loop runs.
#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>

#include "test/bench/cost.hpp"
#include "test/bench/tool.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

/// maximum start-up time in seconds; one of the tracers takes long to read the kernel's types
constexpr int kToolPatience = 120;

/// Returns the number of open files of a process; 0 if it does not exist.
std::size_t open_files(pid_t pid);

/// Waits until the system call `number` is traced; `untraced` is the ns of an untraced call. Returns false if the tool
/// has ended, or had no effect for kToolPatience.
bool wait_until_traced(const Tool& tool, double untraced, long number);

/// Returns the ns per call that a tracer adds. The tracer cannot be detached from outside, so it is started and ended.
/// Returns absent and sets `problem` if the tracer has no effect. Its losses are ignored, and its output goes to
/// /dev/null to exclude the cost of a terminal.
double added_by_tool(TurnsLoop& loop, const Words& words, std::string& problem);

} // namespace dt::bench
