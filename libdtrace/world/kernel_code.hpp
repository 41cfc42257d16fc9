// Search in the machine code of kernel functions, read from /proc/kcore.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "probes/kernel_view.hpp"

namespace dt {

/// Returns the traceable functions whose code may contain a negative constant: an error number originates in one of
/// them. The result is sorted by name without duplicates; a name is included if any function of that name matches.
/// Fails if the code cannot be read. Takes some ten milliseconds per 10 MB of code.
Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number);

} // namespace dt
