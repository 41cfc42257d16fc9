// How the text a subroutine works on reaches a function of bpf-runtime.
#pragma once

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Text as a runtime function takes it.
struct Source {
    ir::Value address = ir::kNone;
    uint32_t size = 0; ///< it ends in a NUL within so many bytes, at most strsize + 1
};

/// Text that can be read without failing, through bpf_probe_read_kernel_str(). A NULL string faults.
Source readable_source(ClauseLowering& l, const TExpr& e);
/// Text in a map value, to be walked by loads.
Source loadable_source(ClauseLowering& l, const TExpr& e);

/// A copy in the slot: a function that is verified apart finds it there.
Source slot_source(ClauseLowering& l, const TExpr& e);

/// Sizes of two sources in one argument.
inline int64_t both_sizes(uint32_t low, uint32_t high)
{
    return static_cast<int64_t>(low | uint64_t{high} << 32);
}

/// The base that is the second argument of lltostr() and strtoll(), or 10; faults outside 2 … 36.
ir::Value number_base(ClauseLowering& l, const TExpr& e);

/// A tail of a text of ours: read by copying, never loaded, because its position is not known. With `may_be_null`: 0
/// for none.
Operand tail(ir::Value address, uint32_t size, bool may_be_null);

} // namespace dt::lower
