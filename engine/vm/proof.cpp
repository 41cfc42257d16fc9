#include "bpf-runtime/vm/proof_value.hpp"

#include <algorithm>
#include <bit>

#include "bpf-runtime/vm/instruction.hpp"

namespace dt::vm {

namespace {

// Larger offsets are never used, and sums of two of these cannot overflow.
constexpr int64_t kFarthest = int64_t{1} << 31;
constexpr int64_t kHighest32 = 0xffffffff;

Value moved(const Value& pointer, int64_t low, int64_t high)
{
    if (low < -kFarthest || high > kFarthest || low > high)
        return Value::any();
    Value result = pointer;
    result.low += low;
    result.high += high;
    return result.low < -kFarthest || result.high > kFarthest ? Value::any() : result;
}

Value add(const Value& l, const Value& r)
{
    if (l.is_pointer() && r.kind == Value::Kind::Number)
        return moved(l, r.low, r.high);
    if (r.is_pointer() && l.kind == Value::Kind::Number)
        return moved(r, l.low, l.high);
    if (l.kind != Value::Kind::Number || r.kind != Value::Kind::Number)
        return Value::any();
    int64_t low = 0, high = 0;
    if (__builtin_add_overflow(l.low, r.low, &low) || __builtin_add_overflow(l.high, r.high, &high))
        return Value::any();
    return Value::number(low, high);
}

Value subtract(const Value& l, const Value& r)
{
    if (r.kind != Value::Kind::Number || r.low == kLowest)
        return Value::any();
    return add(l, Value::number(-r.high, -r.low));
}

Value multiply(const Value& l, const Value& r)
{
    int64_t high = 0;
    if (l.low < 0 || r.low < 0 || __builtin_mul_overflow(l.high, r.high, &high))
        return Value::any();
    return Value::number(l.low * r.low, high);
}

/// Returns a range with all bits up to the highest bit of either.
Value combine(const Value& l, const Value& r)
{
    if (l.low < 0 || r.low < 0)
        return Value::any();
    const int width = std::bit_width(static_cast<uint64_t>(std::max(l.high, r.high)));
    return Value::unsigned_bits(static_cast<uint32_t>(width));
}

Value mask(const Value& l, const Value& r)
{
    if (l.low < 0 && r.low < 0)
        return Value::any();
    const int64_t left = l.low < 0 ? kHighest : l.high, right = r.low < 0 ? kHighest : r.high;
    return Value::number(0, std::min(left, right));
}

Value shift(uint8_t op, const Value& l, int64_t count)
{
    if (count == 0)
        return l;
    if (op == BPF_LSH)
        return l.low >= 0 && l.high <= kHighest >> count ? Value::number(l.low << count, l.high << count)
                                                         : Value::any();
    if (op == BPF_ARSH || l.low >= 0)
        return Value::number(l.low >> count, l.high >> count);
    return Value::unsigned_bits(static_cast<uint32_t>(64 - count));
}

Value divide(uint8_t op, int16_t offset, const Value& l, const Value& r)
{
    if (!r.is_constant() || r.low <= 0)
        return Value::any();
    if (op == BPF_MOD)
        return offset && l.low < 0 ? Value::number(-(r.low - 1), r.low - 1) : Value::number(0, r.low - 1);
    return offset || l.low >= 0 ? Value::number(l.low / r.low, l.high / r.low) : Value::any();
}

Value numbers(uint8_t op, int16_t offset, const Value& l, const Value& r, int64_t bits)
{
    switch (op) {
    case BPF_MUL:
        return multiply(l, r);
    case BPF_AND:
        return mask(l, r);
    case BPF_OR:
    case BPF_XOR:
        return combine(l, r);
    case BPF_LSH:
    case BPF_RSH:
    case BPF_ARSH:
        return r.is_constant() ? shift(op, l, r.low & (bits - 1)) : Value::any();
    case BPF_DIV:
    case BPF_MOD:
        return divide(op, offset, l, r);
    default:
        return Value::any();
    }
}

Value narrowed(const Value& value)
{
    const bool fits = value.kind == Value::Kind::Number && value.low >= 0 && value.high <= kHighest32;
    return fits ? value : Value::unsigned_bits(32);
}

Value compute_narrow(uint8_t op, int16_t offset, const Value& left, const Value& right)
{
    const Value l = narrowed(left), r = narrowed(right);
    if (op == BPF_MOV)
        return offset ? Value::unsigned_bits(32) : r;
    // Their operands are signed.
    if ((op == BPF_ARSH || offset) && l.high > kHighest32 / 2)
        return Value::unsigned_bits(32);
    if (offset && r.high > kHighest32 / 2)
        return Value::unsigned_bits(32);
    if (op == BPF_ADD || op == BPF_SUB)
        return narrowed(op == BPF_ADD ? add(l, r) : subtract(l, r));
    return narrowed(numbers(op, offset, l, r, 32));
}

} // namespace

Value join(const Value& a, const Value& b, bool widen)
{
    using ValueKind = Value::Kind;
    if (a == b)
        return a;
    if (a.kind == ValueKind::Nothing || b.kind == ValueKind::Nothing || a.kind == ValueKind::Perhaps ||
        b.kind == ValueKind::Perhaps)
        return {ValueKind::Perhaps};
    const auto from_map = [](const Value& v) {
        return v.kind == ValueKind::MapValueOrNull || (v.kind == ValueKind::MapValue && v.low == 0 && v.high == 0);
    };
    if (a.kind != b.kind || a.origin != b.origin)
        return from_map(a) && from_map(b) && a.which == b.which
                   ? Value{ValueKind::MapValueOrNull, a.which, kNoOrigin, 0, 0}
                   : Value::any();
    Value both = a;
    both.low = std::min(a.low, b.low);
    both.high = std::max(a.high, b.high);
    return a.which != b.which || (widen && both != a) ? Value::any() : both;
}

Value compute(uint8_t op, int16_t offset, bool wide, const Value& left, const Value& right)
{
    if (!wide)
        return compute_narrow(op, offset, left, right);
    if (op == BPF_MOV && !offset)
        return right;
    if (op == BPF_MOV) {
        const Value bits = Value::signed_bits(static_cast<uint32_t>(offset));
        return right.kind == Value::Kind::Number && right.low >= bits.low && right.high <= bits.high ? right : bits;
    }
    if (op == BPF_ADD)
        return add(left, right);
    if (op == BPF_SUB)
        return subtract(left, right);
    if (left.kind != Value::Kind::Number || right.kind != Value::Kind::Number)
        return Value::any();
    return numbers(op, offset, left, right, 64);
}

Value refine(uint8_t op, const Value& left, int64_t right, bool holds)
{
    if (left.kind != Value::Kind::Number)
        return left;
    // Replace the comparison by its opposite if it does not hold.
    static constexpr struct {
        uint8_t op, opposite;
    } kPairs[] = {
        {BPF_JEQ, BPF_JNE}, {BPF_JGT, BPF_JLE}, {BPF_JGE, BPF_JLT}, {BPF_JSGT, BPF_JSLE}, {BPF_JSGE, BPF_JSLT}};
    if (!holds)
        for (const auto& pair : kPairs)
            if (op == pair.op || op == pair.opposite) {
                op = op == pair.op ? pair.opposite : pair.op;
                break;
            }
    Value v = left;
    const bool as_signed = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;
    // An unsigned comparison limits a signed range from above only if the constant is not negative, and from below only
    // if the value is not negative.
    const bool below = as_signed || right >= 0, above = as_signed || (right >= 0 && left.low >= 0);
    const bool less = op == BPF_JLT || op == BPF_JSLT || op == BPF_JLE || op == BPF_JSLE;
    const bool greater = op == BPF_JGT || op == BPF_JSGT || op == BPF_JGE || op == BPF_JSGE;
    const bool strict = op == BPF_JLT || op == BPF_JSLT || op == BPF_JGT || op == BPF_JSGT;
    if (op == BPF_JEQ)
        v = Value::constant(right);
    if (less && below && !(strict && right == kLowest)) {
        v.low = as_signed ? v.low : std::max<int64_t>(v.low, 0);
        v.high = std::min(v.high, right - strict);
    }
    if (greater && above && !(strict && right == kHighest))
        v.low = std::max(v.low, right + strict);
    return v.low <= v.high ? v : Value::any(); // otherwise the branch cannot be taken
}

} // namespace dt::vm
