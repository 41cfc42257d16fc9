// Emits the bucket computation of quantize() and lquantize() inline: a call would cost as much. llquantize() needs a
// loop and has a runtime function.
#include "dcompiler/lower/buckets.hpp"

#include "bpf-runtime/abi.h"

namespace dt::lower {

using ir::Op;
using ir::Value;

namespace {

/// Yields 1 if v > limit and 0 otherwise, for values below 2^63. It has no branch: a hundred calls in a clause would
/// otherwise become 64^100 paths for the verifier.
Value exceeds(ir::Builder& b, Value v, int64_t limit)
{
    return b.binary(Op::LShr, b.binary(Op::Sub, b.constant(limit), v), b.constant(63));
}

} // namespace

Value quantize_bucket(ir::Builder& b, Value v)
{
    const Value sign = b.binary(Op::AShr, v, b.constant(63)); // 0 or all ones
    Value rest = b.binary(Op::Sub, b.binary(Op::Xor, v, sign), sign);
    rest = b.binary(Op::Sub, rest, b.binary(Op::LShr, rest, b.constant(63))); // INT64_MIN has no magnitude
    Value bits = b.constant(0);                                               // number of bits of the magnitude
    for (int shift = 32, log = 5; log > 0; shift /= 2, --log) {
        const Value step = b.binary(Op::Shl, exceeds(b, rest, (int64_t{1} << shift) - 1), b.constant(log));
        rest = b.binary(Op::LShr, rest, step);
        bits = b.binary(Op::Add, bits, step);
    }
    constexpr int64_t kBitsUpTo3 = 0xa4; // bit counts of 0, 1, 2 and 3: 0, 1, 2, 2
    const Value last = b.binary(Op::LShr, b.constant(kBitsUpTo3), b.binary(Op::Shl, rest, b.constant(1)));
    bits = b.binary(Op::Add, bits, b.binary(Op::And, last, b.constant(3)));
    return b.binary(Op::Add, b.constant(DT_QUANTIZE_ZERO), b.binary(Op::Sub, b.binary(Op::Xor, bits, sign), sign));
}

Value lquantize_bucket(ir::Builder& b, Value v, int64_t base, int64_t levels, int64_t step)
{
    const auto below = [&] { return b.constant(0); };
    return b.select(Op::SLt, v, b.constant(base), below, [&] {
        // v - base may exceed 63 bits, but not 64. In range it is small, so the division becomes a multiplication.
        const Value above = b.binary(Op::Sub, v, b.constant(base));
        const auto inside = [&] {
            return b.binary(Op::Add, b.binary(Op::UDiv, above, b.constant(step)), b.constant(1));
        };
        return b.select(Op::ULt, above, b.constant(levels * step), inside, [&] { return b.constant(levels + 1); });
    });
}

} // namespace dt::lower
