// What providers know of the kernel they work for. The live one reads the running kernel (libdtrace/world), tests freeze one; providers are
// the same over both.
#pragma once

#include <string_view>

#include "probes/process_view.hpp"

namespace dt::probes {

class KernelView {
public:
    virtual ~KernelView() = default;

    /// Whether the kernel has a system call; asked only for those that not every supported kernel has.
    virtual bool has_syscall(std::string_view name) = 0;

    virtual ProcessView& processes() = 0;
};

} // namespace dt::probes
