// The processes that are traced with those of -c and -p (-x follow): a set in the kernel.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// The process of -c or -p that `process` is followed because of; control goes to `leave` when it is not followed.
ir::Value origin_of(ModuleLowering& module, ir::Builder& b, ir::Value process, ir::BlockId leave);

/// Adds the programs that keep the set, where tasks fork, execute and end. An error when the kernel's types do not tell
/// what they must read.
void add_follow_programs(ModuleLowering& module);

} // namespace dt::lower
