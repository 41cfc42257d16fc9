// Implements BPF's operators as functions, in tables that are indexed by opcode, so that all executors compute the same
// results.
#include "engine/program/operators.hpp"

#include <array>

namespace dt::vm {

namespace {

using u64 = uint64_t;
using u32 = uint32_t;
using s64 = int64_t;
using s32 = int32_t;

template <typename Signed> u64 signed_divide(u64 l, u64 r)
{
    const Signed left = static_cast<Signed>(l), right = static_cast<Signed>(r);
    if (right == 0)
        return 0;
    // The quotient of the most negative number and -1 is the only quotient that does not fit into a register. It wraps
    // around.
    return right == -1 ? static_cast<u64>(Signed{0}) - static_cast<u64>(left) : static_cast<u64>(left / right);
}

template <typename Signed> u64 signed_modulo(u64 l, u64 r)
{
    const Signed left = static_cast<Signed>(l), right = static_cast<Signed>(r);
    if (right == 0)
        return l;
    return right == -1 ? 0 : static_cast<u64>(left % right);
}

constexpr std::size_t kOps = 16; // number of different operators: BPF_OP is the high four bits of the opcode

constexpr std::array<Operator, kOps> kWide = {
    /* add  */ [](u64 l, u64 r) -> u64 { return l + r; },
    /* sub  */ [](u64 l, u64 r) -> u64 { return l - r; },
    /* mul  */ [](u64 l, u64 r) -> u64 { return l * r; },
    /* div  */ [](u64 l, u64 r) -> u64 { return r ? l / r : 0; },
    /* or   */ [](u64 l, u64 r) -> u64 { return l | r; },
    /* and  */ [](u64 l, u64 r) -> u64 { return l & r; },
    /* lsh  */ [](u64 l, u64 r) -> u64 { return l << (r & 63); },
    /* rsh  */ [](u64 l, u64 r) -> u64 { return l >> (r & 63); },
    /* neg  */ [](u64 l, u64) -> u64 { return 0 - l; },
    /* mod  */ [](u64 l, u64 r) -> u64 { return r ? l % r : l; },
    /* xor  */ [](u64 l, u64 r) -> u64 { return l ^ r; },
    /* mov  */ [](u64, u64 r) -> u64 { return r; },
    /* arsh */ [](u64 l, u64 r) -> u64 { return static_cast<u64>(static_cast<s64>(l) >> (r & 63)); },
};

constexpr std::array<Operator, kOps> kNarrow = {
    /* add  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l + r); },
    /* sub  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l - r); },
    /* mul  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l * r); },
    /* div  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(r) ? static_cast<u32>(l) / static_cast<u32>(r) : 0; },
    /* or   */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l | r); },
    /* and  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l & r); },
    /* lsh  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l) << (r & 31); },
    /* rsh  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l) >> (r & 31); },
    /* neg  */ [](u64 l, u64) -> u64 { return static_cast<u32>(0 - l); },
    /* mod  */
    [](u64 l, u64 r) -> u64 {
        return static_cast<u32>(r) ? static_cast<u32>(l) % static_cast<u32>(r) : static_cast<u32>(l);
    },
    /* xor  */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(l ^ r); },
    /* mov  */ [](u64, u64 r) -> u64 { return static_cast<u32>(r); },
    /* arsh */ [](u64 l, u64 r) -> u64 { return static_cast<u32>(static_cast<s32>(l) >> (r & 31)); },
};

/// Comparison functions by opcode. U and S are unsigned and signed types: of 64 bits to compare whole registers, of 32
/// bits to compare the low halves.
template <typename U, typename S>
constexpr std::array<Comparison, kOps> kCompare = {
    /* ja   */ nullptr,
    /* jeq  */ [](u64 l, u64 r) { return static_cast<U>(l) == static_cast<U>(r); },
    /* jgt  */ [](u64 l, u64 r) { return static_cast<U>(l) > static_cast<U>(r); },
    /* jge  */ [](u64 l, u64 r) { return static_cast<U>(l) >= static_cast<U>(r); },
    /* jset */ [](u64 l, u64 r) { return (static_cast<U>(l) & static_cast<U>(r)) != 0; },
    /* jne  */ [](u64 l, u64 r) { return static_cast<U>(l) != static_cast<U>(r); },
    /* jsgt */ [](u64 l, u64 r) { return static_cast<S>(l) > static_cast<S>(r); },
    /* jsge */ [](u64 l, u64 r) { return static_cast<S>(l) >= static_cast<S>(r); },
    /* call */ nullptr,
    /* exit */ nullptr,
    /* jlt  */ [](u64 l, u64 r) { return static_cast<U>(l) < static_cast<U>(r); },
    /* jle  */ [](u64 l, u64 r) { return static_cast<U>(l) <= static_cast<U>(r); },
    /* jslt */ [](u64 l, u64 r) { return static_cast<S>(l) < static_cast<S>(r); },
    /* jsle */ [](u64 l, u64 r) { return static_cast<S>(l) <= static_cast<S>(r); },
};

Operator sign_extending_move(int16_t bits, bool wide)
{
    switch (bits) {
    case 8:
        return wide ? [](u64, u64 r) { return sign_extend(r, 8); }
                    : [](u64, u64 r) -> u64 { return static_cast<u32>(sign_extend(r, 8)); };
    case 16:
        return wide ? [](u64, u64 r) { return sign_extend(r, 16); }
                    : [](u64, u64 r) -> u64 { return static_cast<u32>(sign_extend(r, 16)); };
    case 32:
        return wide ? [](u64, u64 r) { return sign_extend(r, 32); } : Operator{};
    default:
        return nullptr;
    }
}

} // namespace

uint64_t sign_extend(uint64_t value, uint32_t bits)
{
    return static_cast<u64>(static_cast<s64>(value << (64 - bits)) >> (64 - bits));
}

Operator operator64(uint8_t op, int16_t offset)
{
    if (op == BPF_MOV && offset)
        return sign_extending_move(offset, true);
    if (offset == 1 && (op == BPF_DIV || op == BPF_MOD))
        return op == BPF_DIV ? signed_divide<s64> : signed_modulo<s64>;
    return offset ? nullptr : kWide[op >> 4];
}

Operator operator32(uint8_t op, int16_t offset)
{
    if (op == BPF_MOV && offset)
        return sign_extending_move(offset, false);
    if (offset == 1 && op == BPF_DIV)
        return [](u64 l, u64 r) -> u64 { return static_cast<u32>(signed_divide<s32>(l, r)); };
    if (offset == 1 && op == BPF_MOD)
        return [](u64 l, u64 r) -> u64 { return static_cast<u32>(signed_modulo<s32>(l, r)); };
    return offset ? nullptr : kNarrow[op >> 4];
}

Operator atomic_operator(int32_t op)
{
    const bool known = op == BPF_ADD || op == BPF_OR || op == BPF_AND || op == BPF_XOR;
    return known ? kWide[static_cast<std::size_t>(op) >> 4] : nullptr;
}

namespace {

template <typename T> uint64_t combine(uint8_t* place, int32_t operation, uint64_t expected, uint64_t source)
{
    auto* to = reinterpret_cast<T*>(place);
    const T value = static_cast<T>(source);
    T old = static_cast<T>(expected);
    switch (operation) {
    case BPF_XCHG:
        return __atomic_exchange_n(to, value, __ATOMIC_SEQ_CST);
    case BPF_CMPXCHG:
        __atomic_compare_exchange_n(to, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return old;
    case BPF_ADD:
    case BPF_ADD | BPF_FETCH:
        return __atomic_fetch_add(to, value, __ATOMIC_SEQ_CST);
    case BPF_OR:
    case BPF_OR | BPF_FETCH:
        return __atomic_fetch_or(to, value, __ATOMIC_SEQ_CST);
    case BPF_AND:
    case BPF_AND | BPF_FETCH:
        return __atomic_fetch_and(to, value, __ATOMIC_SEQ_CST);
    default:
        return __atomic_fetch_xor(to, value, __ATOMIC_SEQ_CST);
    }
}

} // namespace

uint64_t combine_atomically(uint8_t* place, uint32_t width, int32_t operation, uint64_t expected, uint64_t source)
{
    return width == 4 ? combine<uint32_t>(place, operation, expected, source)
                      : combine<uint64_t>(place, operation, expected, source);
}

Comparison comparison64(uint8_t op)
{
    return kCompare<u64, s64>[op >> 4];
}

Comparison comparison32(uint8_t op)
{
    return kCompare<u32, s32>[op >> 4];
}

} // namespace dt::vm
