// What providers know of the kernel they work for. The live one reads the running kernel (libdtrace/world), tests freeze one; providers are
// the same over both.
#pragma once

#include <string_view>

#include "dcompiler/sema/kernel_types.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

class KernelView {
public:
    virtual ~KernelView() = default;

    /// Whether the kernel has a system call; asked only for those that not every supported kernel has.
    virtual bool has_syscall(std::string_view name) = 0;

    /// Types, functions and tracepoints by the kernel's own word; null: it has no type information.
    virtual KernelTypes* types() = 0;

    /// Whether programs can be attached to a function, as far as the kernel lists that; true where it does not. The first question reads the list.
    virtual bool is_traceable(std::string_view function) = 0;

    virtual ProcessView& processes() = 0;
};

} // namespace dt::probes
