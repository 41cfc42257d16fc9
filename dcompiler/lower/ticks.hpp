// How often a tick has run, in memory that the tracer maps: the kernel skips programs of perf events without a word.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Counts a run of the program, and goes to `leave` when it is one too many (struct dt_tick). Returns its place:
/// ProgramPlan::tick.
uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave);

} // namespace dt::lower
