// Cached lists of kernel functions: the traceable functions, and the addresses of all functions. The kernel takes tens
// of milliseconds to produce a list. The lists change only with modules, so the first reader after boot saves them for
// later runs. Also searches the functions' machine code.
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
    /// Reads the list of traceable functions from the cache. If the cache does not contain the list, calls `listed`,
    /// which must return the text of the list in tracefs: "vfs_read", "ext4_write [ext4]".
    static std::unique_ptr<TraceableFunctions> read(const KernelCache& cache,
                                                    const std::function<std::string()>& listed);

    explicit TraceableFunctions(std::string text);
    // Not copyable, because the functions' names are views of text_.
    TraceableFunctions(const TraceableFunctions&) = delete;

    /// Returns the traceable functions, sorted by name.
    std::span<const probes::KernelFunction> all() const { return functions_; }

private:
    std::string sorted_text() const;

    std::string text_;
    std::vector<probes::KernelFunction> functions_;
};

/// Addresses at which the kernel refuses probes although it lists the function, for example one of several functions
/// with the same name. The kernel attaches functions in batches. To find the refused functions of a batch, the batch
/// must be halved repeatedly, which takes seconds. So their addresses are cached.
class RefusedFunctions {
public:
    explicit RefusedFunctions(KernelCache cache) : cache_(std::move(cache)) {}

    /// Returns whether the kernel has refused a probe at the address, in this run or in an earlier run since boot. The
    /// first call reads the cache.
    bool contains(uint64_t address);
    void add(uint64_t address);
    /// Writes the added addresses to the cache for later runs.
    void keep();

private:
    std::set<uint64_t>& known();

    KernelCache cache_;
    std::optional<std::set<uint64_t>> known_;
    bool changed_ = false;
};

/// Calls `visit` for each function, like KernelSymbols::for_each_function(). Uses the cached list, sorted by name, and
/// reads the kernel's symbols only if there is no cached list. If `names` contains only a few names, only these
/// functions and their clones are visited.
void visit_function_symbols(const KernelCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit,
                            std::span<const std::string_view> names = {});

// Searches the machine code of kernel functions, which is read from /proc/kcore.

/// Returns the traceable functions whose code may contain an error number (a negative constant). One of these functions
/// may be the origin of the error. The result is sorted by name without duplicates; a name is included if any function
/// of that name matches. Fails if the code cannot be read. Takes some ten milliseconds per 10 MB of code.
Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number);

} // namespace dt
