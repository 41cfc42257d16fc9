// Number of runs of a tick, in memory that the tracer maps. It shows missed ticks: the kernel silently skips programs
// of perf events.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Counts a run of the program, and goes to `leave` if its limit is exceeded (struct dt_tick). Returns its place:
/// ProgramPlan::tick.
uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave);

} // namespace dt::lower
