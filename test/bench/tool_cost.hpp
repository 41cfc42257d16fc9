// Measures what an external tracer adds to a call. The tracer is started and ended while the measured loop runs.
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

/// Waits until the system call `number` is traced, which makes it slower than `untraced` ns. Returns false if the
/// tracer has ended, or if calls have not become slower within kToolPatience.
bool wait_until_traced(const Tool& tool, double untraced, long number);

/// Returns the ns per call that a tracer adds. It cannot be detached from outside, so it is started and ended. If calls
/// do not become slower, returns absent and sets `problem`. Lost records are ignored. The output goes to /dev/null, to
/// exclude the cost of a terminal.
double added_by_tool(TurnsLoop& loop, const Words& words, std::string& problem);

} // namespace dt::bench
