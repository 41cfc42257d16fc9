// The providers' view of the running kernel.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "libdtrace/process/process.hpp"
#include "libdtrace/process/view.hpp"
#include "libdtrace/world/boot_cache.hpp"
#include "libdtrace/world/other_kernel.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "probes/kernel_view.hpp"

namespace dt {

/// Sources of kernel facts that other parts of the program own. Each source is called on demand.
struct KernelFacts {
    std::function<KernelTypes*()> types; ///< type information of the kernel, or null
    std::function<KernelSymbols&()> symbols;
    std::function<std::string()> proc; ///< mount point of proc(5)
    std::function<bool()> wants_all_functions;
    std::function<BootCache()> cache;                             ///< facts cached by earlier runs since boot
    std::function<const Processes*()> session;                    ///< processes of -c and -p, or null
    PrototypeSource prototypes;                                   ///< prototypes of user-space functions
    std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make(); ///< sandboxed readers of untrusted files
    std::function<const OtherKernel*()> other = {};               ///< an offline kernel description; null or returning
                                                                  ///< null for the running kernel
};

/// Returns a view that reads facts on demand.
std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts);

} // namespace dt
