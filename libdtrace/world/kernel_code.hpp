// The machine code of the kernel's functions, as proc(5) shows it (/proc/kcore).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "probes/kernel_view.hpp"

namespace dt {

/// Of the functions that the kernel can trace those in whose code a negative number may be a constant: who gives such
/// an error first has it there. By name, each once; of several of a name, if one has it. Error: the code cannot be
/// read. Takes some ten milliseconds for each 10 MB of code.
Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number);

} // namespace dt
