// The kernel's lists of its functions, those that can be traced and where each of them is. To make either takes the
// kernel tens of milliseconds; both stay the same until modules come or go, so a boot's first reader keeps them for the
// others.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
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

/// Where the kernel allows no probe though it lists a function of the name: of several not all may be probed. To find
/// them among tens of thousands the batch is halved again and again, which takes seconds.
class RefusedFunctions {
public:
    explicit RefusedFunctions(BootCache cache) : cache_(std::move(cache)) {}

    /// As this run or an earlier one of the boot was told. The first question reads what was kept.
    bool contains(uint64_t address);
    void add(uint64_t address);
    /// Keeps what was added for later runs.
    void keep();

private:
    std::set<uint64_t>& known();

    BootCache cache_;
    std::optional<std::set<uint64_t>> known_;
    bool changed_ = false;
};

/// KernelSymbols::for_each_function(), whose symbols are read only if no earlier run has kept them: then by name, and
/// with a few `names` only those that are called so and their clones.
void visit_function_symbols(const BootCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit,
                            std::span<const std::string_view> names = {});

} // namespace dt
