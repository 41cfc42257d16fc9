// Prepares the strings that subroutines pass to functions of bpf-runtime: checks that they are not NULL, and makes them
// readable.
#pragma once

#include "dcompiler/lower/clause/clause.hpp"

namespace dt::lower {

/// String as an argument of a bpf-runtime function.
struct Source {
    ir::Value address = ir::kNone;
    uint32_t size = 0; ///< the string ends with a NUL within this number of bytes, which is at most strsize + 1
};

/// Returns the argument's string in memory that bpf_probe_read_kernel_str() can always read. Emits a fault for the case
/// that the string is NULL.
Source readable_source(ClauseLowering& l, const TExpr& e);
/// Returns the argument's string in memory of a map, so that programs can load its bytes directly.
Source loadable_source(ClauseLowering& l, const TExpr& e);

/// Returns a copy of the argument's string in the scratch slot. Functions that the verifier checks separately need this
/// form.
Source slot_source(ClauseLowering& l, const TExpr& e);

/// Packs the size limits of two strings into one argument of a bpf-runtime function.
inline int64_t both_sizes(uint32_t low, uint32_t high)
{
    return static_cast<int64_t>(low | uint64_t{high} << 32);
}

/// Yields the base of numbers for lltostr() or strtoll(): the second argument, or 10 without this argument. Emits a
/// fault for a base outside of 2 to 36.
ir::Value number_base(ClauseLowering& l, const TExpr& e);

/// Returns the part of a string from `address` on. The string is in the program's own memory. The verifier knows no
/// bounds for the address, so programs cannot load from it and must copy the part. With `may_be_null` the address may
/// be 0.
Operand tail(ir::Value address, uint32_t size, bool may_be_null);

/// Returns the string that a runtime function has written to `buffer`, or NULL if the function found none. `buffer` is
/// memory of a map with at least `size` bytes. `found` is the function's result: `buffer` or 0.
Operand found_text(ClauseLowering& l, ir::Value found, ir::Value buffer, uint32_t size);

} // namespace dt::lower
