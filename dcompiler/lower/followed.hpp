// Set of processes in the kernel that are traced with those of -c and -p (-x follow).
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Yields the process of -c or -p because of which `process` is followed. Control goes to `leave` if it is not
/// followed.
ir::Value origin_of(ModuleLowering& module, ir::Builder& b, ir::Value process, ir::BlockId leave);

/// Adds the programs that keep the set at fork, exec and exit. Reports an error if the kernel's types lack the members
/// that they read.
void add_follow_programs(ModuleLowering& module);

} // namespace dt::lower
