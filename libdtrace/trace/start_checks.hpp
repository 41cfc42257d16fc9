// What can be known to fail before anything of a trace is in the kernel.
#pragma once

#include "dcompiler/compiler.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/world/world.hpp"

namespace dt {

/// Whether a trace of the object may begin. The error has no prefix.
Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes);

} // namespace dt
