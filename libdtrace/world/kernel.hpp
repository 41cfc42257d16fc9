// The running kernel, as providers look at it.
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

/// What others have found of the kernel, each asked for when it is wanted.
struct KernelFacts {
    std::function<KernelTypes*()> types; ///< the kernel's type information, or null
    std::function<KernelSymbols&()> symbols;
    std::function<std::string()> proc; ///< where proc(5) is mounted
    std::function<bool()> wants_all_functions;
    std::function<BootCache()> cache;                             ///< what earlier runs of this boot have read
    std::function<const Processes*()> session;                    ///< the processes of -c and -p, or null
    PrototypeSource prototypes;                                   ///< of functions of processes
    std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make(); ///< has files of processes read
    std::function<const OtherKernel*()> other = {};               ///< null, or gives null: it is the kernel that runs
};

/// Reads nothing until it is asked.
std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts);

} // namespace dt
