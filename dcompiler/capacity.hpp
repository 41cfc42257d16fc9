// Whether the sizes that options give suffice for what a program keeps in the kernel.
#pragma once

#include "dcompiler/lower/lower.hpp"
#include "dcompiler/options.hpp"
#include "base/result.hpp"

namespace dt {

/// "Enabling exceeds size of buffer" when aggsize or dynvarsize is 0 and needed, "Enabling exceeds memory limit" when
/// what the program needs from the start is more than memlimit. `cpus` counts the possible ones.
Result<void> check_capacity(const lower::Lowered& lowered, const CompileOptions& options, uint32_t cpus);

} // namespace dt
