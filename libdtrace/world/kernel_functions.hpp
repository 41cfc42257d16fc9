// The kernel's lists of its functions, those that can be traced and where each of them is. To make either takes the kernel tens of milliseconds; both
// stay the same until modules come or go, so a boot's first reader keeps them for the others.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libdtrace/world/boot_cache.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "probes/kernel_view.hpp"

namespace dt {

class TraceableFunctions {
public:
    /// `listed` reads what tracefs has of them: "vfs_read", "ext4_write [ext4]".
    static std::unique_ptr<TraceableFunctions> read(const BootCache& cache, const std::function<std::string()>& listed);

    explicit TraceableFunctions(std::string text);
    TraceableFunctions(const TraceableFunctions&) = delete; // the names are views

    /// By name.
    std::span<const probes::KernelFunction> all() const { return functions_; }

private:
    std::string sorted_text() const;

    std::string text_;
    std::vector<probes::KernelFunction> functions_;
};

/// KernelSymbols::for_each_function(), whose symbols are read only if no earlier run has kept them.
void visit_function_symbols(const BootCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit);

} // namespace dt
