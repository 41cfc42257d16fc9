// Preflight checks: failures that can be detected before anything is loaded into the kernel.
#pragma once

#include "dcompiler/compiler.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/world/world.hpp"

namespace dt {

/// Returns whether a trace of the object may start. The error has no prefix.
Result<void> may_start(const Program& program, const Object& object, const Options& options, LiveWorld& world,
                       const Processes& processes);

} // namespace dt
