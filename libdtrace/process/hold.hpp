// Where a command of -c waits until tracing is on (option evaltime).
//
// Right after exec only the program and its loader are mapped: no library function has an address yet, so neither
// probes nor stacks can name one. The usual place is therefore the program's entry point, which the loader jumps to
// when every library is mapped and initialised.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "libdtrace/elf/foreign_files.hpp"

namespace dt {

enum class HoldPoint { Exec, Entry, Main };

/// The option's value: exec; preinit and postinit (the entry point); main.
HoldPoint hold_point(std::string_view evaltime);

/// `proc`: where proc(5) is mounted. Lets a process that ptrace stopped after exec run up to `point`, by a breakpoint
/// that is gone afterwards. False when the process ended before. Where the point cannot be found, or on processors this
/// does not know, the process stays where it is. `by`: who reads its file.
bool run_to(const std::string& proc, pid_t pid, HoldPoint point, ReadBy by);

} // namespace dt
