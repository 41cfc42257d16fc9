// The running kernel, as providers look at it.
#pragma once

#include <memory>

#include "probes/kernel_view.hpp"

namespace dt {

/// Reads nothing until it is asked.
std::unique_ptr<probes::KernelView> live_kernel();

} // namespace dt
