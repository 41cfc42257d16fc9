// The running kernel, as providers look at it.
#pragma once

#include <functional>
#include <memory>

#include "probes/kernel_view.hpp"

namespace dt {

/// Reads nothing until it is asked. `types`: the kernel's type information, or null.
std::unique_ptr<probes::KernelView> live_kernel(std::function<KernelTypes*()> types);

} // namespace dt
