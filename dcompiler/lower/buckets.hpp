// Bucket numbers of quantize() and lquantize().
#pragma once

#include <cstdint>

#include "dcompiler/ir/ir.hpp"

namespace dt::lower {

/// Yields the bucket of quantize() (dtrace-aggregations(7), quantize). DT_QUANTIZE_ZERO holds zero, 64 + k holds [2^k,
/// 2^(k+1)), and 62 - k its mirror image.
ir::Value quantize_bucket(ir::Builder& b, ir::Value v);

/// Yields the bucket of lquantize() (dtrace-aggregations(7), lquantize): 0 below base, levels + 1 from base + levels *
/// step on.
ir::Value lquantize_bucket(ir::Builder& b, ir::Value v, int64_t base, int64_t levels, int64_t step);

} // namespace dt::lower
