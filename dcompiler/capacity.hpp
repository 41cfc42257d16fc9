// Checks whether the sizes given by options suffice for the kernel memory of a program.
#pragma once

#include "dcompiler/lower/lower.hpp"
#include "dcompiler/options.hpp"
#include "base/result.hpp"

namespace dt {

/// Returns "Enabling exceeds size of buffer" if aggsize or dynvarsize is 0 but needed, and "Enabling exceeds memory
/// limit" if the memory allocated at load time exceeds memlimit. `cpus` is the number of possible CPUs.
Result<void> check_capacity(const lower::Lowered& lowered, const CompileOptions& options, uint32_t cpus);

} // namespace dt
