// The most memory that a trace can ever take, in the kernel and in the tracer: known from the object and the options,
// before anything is in the kernel.
//
// Most parts have their size from the start. Others grow with what is traced, each to a bound of its own
// (docs/decisions/32-bounds.md): `growth` is that of an aggregation, and of the names of user addresses.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/load/map_sizes.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/memory.hpp"

namespace dt {

/// What the bound of a trace depends on.
struct MemoryQuestion {
    const Object& object;
    const Options& options;
    MachineSizes machine;
    uint64_t tracer = 0; ///< bytes that this process has already
};

/// What memlimit says, or else what is usual.
uint64_t usual_growth(const Options& options);

/// Parts that are not empty, those of the kernel first.
std::vector<output::MemoryPart> memory_parts(const MemoryQuestion& question, uint64_t growth);

/// The largest growth with which all parts together are within `limit`, `most` at most; nothing when they are not even
/// without any.
std::optional<uint64_t> growth_within(const MemoryQuestion& question, uint64_t limit, uint64_t most);

/// The same of what is usual. The error names the largest parts of what is in the way.
Result<uint64_t> growth_left(const MemoryQuestion& question, uint64_t limit);

} // namespace dt
