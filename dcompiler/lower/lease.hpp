// A trace that outlives its tracer (-x pin) must not trace for ever when nobody comes for it.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Adds the program that switches the others off, as the tracer would, when dt_state.lease has passed. A clock of the
/// kernel runs it.
void add_lease_program(ModuleLowering& module);

} // namespace dt::lower
