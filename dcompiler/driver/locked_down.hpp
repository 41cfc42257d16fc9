// Adapts compiled programs to kernels that are locked down (lockdown=confidentiality).
#pragma once

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/lower/core/layout.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt {

/// Replaces the helper calls that read kernel memory (opt/typed_reads.hpp). A raw tracepoint's program that reads
/// members of arguments becomes one for a typed tracepoint. Reports an error for each value that programs cannot read
/// on such a kernel.
void avoid_kernel_reads(lower::Lowered& lowered, const Program& program, World& world, Diagnostics& diagnostics);

} // namespace dt
