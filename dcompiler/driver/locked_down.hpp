// Adapts compiled programs to kernels that are locked down (lockdown=confidentiality).
#pragma once

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/lower/core/layout.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt {

/// Replaces reads of kernel memory by helpers (opt/typed_reads.hpp), and makes raw tracepoints that read members of
/// their arguments typed. Reports an error for each datum that such a kernel lets no program read.
void avoid_kernel_reads(lower::Lowered& lowered, const Program& program, World& world, Diagnostics& diagnostics);

} // namespace dt
