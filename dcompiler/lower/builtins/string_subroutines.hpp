// Prepares the strings that subroutines pass to functions of bpf-runtime: checks that they are not NULL, and makes them
// readable.
#pragma once

#include "dcompiler/lower/clause/clause.hpp"

namespace dt::lower {

/// String that is passed as an argument to a runtime function.
struct Source {
    ir::Value address = ir::kNone;
    uint32_t size = 0; ///< number of bytes, at most strsize + 1, within which the string ends with a NUL
};

/// Returns the argument's string in memory that bpf_probe_read_kernel_str() can always read. Faults if the string is
/// NULL.
Source readable_source(ClauseLowering& l, const TExpr& e);
/// Returns the argument's string in a map value, so that programs can load its bytes directly.
Source loadable_source(ClauseLowering& l, const TExpr& e);

/// Returns a copy of the argument's string in the scratch slot, for functions that are verified separately.
Source slot_source(ClauseLowering& l, const TExpr& e);

/// Packs the size limits of two source strings into one argument of a runtime function.
inline int64_t both_sizes(uint32_t low, uint32_t high)
{
    return static_cast<int64_t>(low | uint64_t{high} << 32);
}

/// Yields the number base, which is the second argument of lltostr() or strtoll(), or 10 without this argument. Faults
/// unless it is between 2 and 36.
ir::Value number_base(ClauseLowering& l, const TExpr& e);

/// Returns the part of a string that begins at `address`, in the program's own memory. The verifier does not know where
/// in the string this part begins, so the part can only be copied and never be loaded directly. With `may_be_null` the
/// address may be 0.
Operand tail(ir::Value address, uint32_t size, bool may_be_null);

/// Returns the string that a runtime function has written to `buffer`, a map value of at least `size` bytes, or NULL.
/// `found` is the result of the function: `buffer` or 0.
Operand found_text(ClauseLowering& l, ir::Value found, ir::Value buffer, uint32_t size);

} // namespace dt::lower
