// Computes the maximum memory of a trace, in the kernel and in the tracer, from the object and the options, before the
// object is loaded.
//
// Most parts have a fixed size. Others grow with the traced activity, each up to a limit (docs/decisions/32-bounds.md).
// The parameter `growth` is the limit in bytes for each aggregation, and for the names of user addresses.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/load/map_sizes.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/results/cost_report.hpp"

namespace dt {

/// All data from which the maximum memory of a trace is computed.
struct MemoryQuestion {
    const Object& object;
    const Options& options;
    MachineSizes machine;
    uint64_t tracer = 0; ///< memory in bytes that this process already uses
};

/// Returns the default of `growth` when option maxmem is not set: the value of option memlimit, or its default.
uint64_t usual_growth(const Options& options);

/// Returns the parts of the maximum memory that are not zero: first kernel memory, then memory of the tracer.
std::vector<output::MemoryPart> memory_parts(const MemoryQuestion& question, uint64_t growth);

/// Returns the largest value for `growth`, up to `most`, with which the sum of all parts is at most `limit`. Returns
/// nothing if even 0 is too large.
std::optional<uint64_t> growth_within(const MemoryQuestion& question, uint64_t limit, uint64_t most);

/// Returns the largest value for `growth`, up to usual_growth(), with which the sum of all parts is at most `limit`.
/// The error names the largest parts.
Result<uint64_t> growth_left(const MemoryQuestion& question, uint64_t limit);

} // namespace dt
