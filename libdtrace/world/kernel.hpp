// The running kernel, as providers look at it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "probes/kernel_view.hpp"

namespace dt {

/// Reads nothing until it is asked. `types`: the kernel's type information, or null; `proc`: where proc(5) is mounted.
std::unique_ptr<probes::KernelView> live_kernel(std::function<KernelTypes*()> types, std::function<std::string()> proc);

} // namespace dt
