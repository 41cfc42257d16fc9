// Emits sums that cannot overflow.
//
// A 64-bit sum overflows after two large values, and wider arithmetic needs a dozen instructions. The wide part is
// therefore on a rarely executed path. The low word is added to like any sum, one or two comparisons detect an
// overflow, and only then the next word is changed. The low word of a sum is signed, so sums around zero do not
// overflow all the time.
#include "dcompiler/lower/sums.hpp"

namespace dt::lower {

using ir::Op;
using ir::Range;
using ir::Value;

namespace {

constexpr int64_t kSquareFits = 0xffffffff; // the square of this fits into 64 bits

struct Added {
    Value before, after;
};

Added add_and_fetch(const SumPlace& place, int64_t offset, Value amount)
{
    ir::Builder& b = place.b;
    if (place.atomic) {
        const Value before = b.atomic_fetch_add(8, place.address, offset, amount);
        return {before, b.binary(Op::Add, before, amount)};
    }
    const Value before = b.load(8, place.address, offset);
    const Value after = b.binary(Op::Add, before, amount);
    b.store(8, place.address, offset, after);
    return {before, after};
}

} // namespace

void add_word(const SumPlace& place, int64_t offset, Value amount)
{
    ir::Builder& b = place.b;
    if (place.atomic)
        return b.atomic_add(8, place.address, offset, amount);
    b.store(8, place.address, offset, b.binary(Op::Add, b.load(8, place.address, offset), amount));
}

void add_signed_sum(const SumPlace& place, int64_t offset, Value v)
{
    ir::Builder& b = place.b;
    const Added low = add_and_fetch(place, offset, v);
    const auto wraps = [&](Value smaller, Value larger, int64_t by) {
        b.if_then(Op::SLt, smaller, larger, [&] { add_word(place, offset + 8, b.constant(by)); });
    };
    b.if_else(
        Op::SLt, v, b.constant(0), [&] { wraps(low.before, low.after, -1); }, [&] { wraps(low.after, low.before, 1); });
}

void add_square(const SumPlace& place, int64_t offset, Value v)
{
    ir::Builder& b = place.b;
    const Value square = b.binary(Op::Mul, v, v);
    const Range range = b.instr(v).range;
    const bool fits = range.low >= -kSquareFits && range.high <= kSquareFits;
    const Value high = fits ? ir::kNone : b.call_runtime("dt_square_high", {v});
    const Added low = add_and_fetch(place, offset, square);
    if (fits)
        return b.if_then(Op::ULt, low.after, square, [&] { add_word(place, offset + 8, b.constant(1)); });
    const Value carried = b.binary(Op::Add, high, b.binary(Op::ULt, low.after, square));
    const Added middle = add_and_fetch(place, offset + 8, carried);
    b.if_then(Op::ULt, middle.after, carried, [&] { add_word(place, offset + 16, b.constant(1)); });
}

void add_squares(const SumPlace& place, int64_t offset, ir::Value v, ir::Value times)
{
    ir::Builder& b = place.b;
    b.call_runtime("dt_add_squares", {b.binary(Op::Add, place.address, b.constant(offset)), v, times});
}

} // namespace dt::lower
