// Cached lists of kernel functions: the traceable ones and the addresses of all. Each list takes the kernel tens of
// milliseconds. They change only with modules, so the first reader after boot saves them for later runs. Also a search
// in the functions' machine code.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/symbols/kernel_symbols.hpp"
#include "probes/kernel_view.hpp"

namespace dt {

class TraceableFunctions {
public:
    /// Reads the list from the cache or from `listed`, which returns tracefs's text: "vfs_read", "ext4_write [ext4]".
    static std::unique_ptr<TraceableFunctions> read(const KernelCache& cache,
                                                    const std::function<std::string()>& listed);

    explicit TraceableFunctions(std::string text);
    TraceableFunctions(const TraceableFunctions&) = delete; // not copyable: the names are views

    /// Returns the functions sorted by name.
    std::span<const probes::KernelFunction> all() const { return functions_; }

private:
    std::string sorted_text() const;

    std::string text_;
    std::vector<probes::KernelFunction> functions_;
};

/// Addresses at which the kernel refuses probes although it lists the function. If several functions share a name, some
/// may be refused. Finding the refused ones among tens of thousands requires repeated halving of the batch, which takes
/// seconds.
class RefusedFunctions {
public:
    explicit RefusedFunctions(KernelCache cache) : cache_(std::move(cache)) {}

    /// Returns whether this run or an earlier one since boot found the address refused. The first call reads the cache.
    bool contains(uint64_t address);
    void add(uint64_t address);
    /// Saves added addresses for later runs.
    void keep();

private:
    std::set<uint64_t>& known();

    KernelCache cache_;
    std::optional<std::set<uint64_t>> known_;
    bool changed_ = false;
};

/// Calls `visit` like KernelSymbols::for_each_function(). Uses the cached list, sorted by name, and reads symbols only
/// if it is missing. A few `names` restrict the visit to these and their clones.
void visit_function_symbols(const KernelCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit,
                            std::span<const std::string_view> names = {});

// Search in the machine code of kernel functions, read from /proc/kcore.

/// Returns the traceable functions whose code may contain a negative constant: an error number originates in one of
/// them. The result is sorted by name without duplicates; a name is included if any function of that name matches.
/// Fails if the code cannot be read. Takes some ten milliseconds per 10 MB of code.
Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number);

} // namespace dt
