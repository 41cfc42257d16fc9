// The point where the process of option -c waits until tracing has started (option evaltime).
//
// Right after exec only the program and its loader are mapped. Library functions have no addresses yet, so neither
// probes nor stacks can name them. The default is therefore the program's entry point: the loader jumps there after it
// has mapped and initialised all libraries.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "libdtrace/elf/foreign_files.hpp"

namespace dt {

enum class HoldPoint { Exec, Entry, Main };

/// Returns the point for a value of option evaltime: exec; preinit and postinit (the entry point); main.
HoldPoint hold_point(std::string_view evaltime);

/// Lets a process that ptrace stopped after exec run to `point`, with a breakpoint that is removed afterwards. `proc`
/// is the mount point of proc(5); `by` says who reads the program's file. Returns false if the process ended before. If
/// the point is not found or the processor is not supported, the process stays at exec.
bool run_to(const std::string& proc, pid_t pid, HoldPoint point, ReadBy by);

} // namespace dt
