// Stops a pinned trace (-x pin) that no tracer has attended for too long.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Adds a program, run by a kernel timer, that switches all others off after the time in dt_state.lease, as a tracer
/// would.
void add_lease_program(ModuleLowering& module);

} // namespace dt::lower
