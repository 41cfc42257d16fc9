// What is known about a value before the program runs: a number in a range, or a pointer into something of known size.
#pragma once

#include <cstdint>
#include <limits>

namespace dt::vm {

inline constexpr uint32_t kNoOrigin = 0xffffffff;
inline constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

struct Value {
    enum class Kind : uint8_t {
        Nothing, ///< on no path was anything put there
        Perhaps, ///< on some paths
        Number,
        Context,
        Stack, ///< of the function's own frame; offset 0 is behind its last byte
        MapValue,
        MapValueOrNull,
        Section,
        Map,      ///< a reference for helpers
        Function, ///< likewise
    };
    Kind kind = Kind::Nothing;
    uint32_t which = 0;        ///< index of the map or section, first instruction of the function
    uint32_t origin = 0;       ///< of a MapValueOrNull: the call that returned it; what came from several has none
    int64_t low = 0, high = 0; ///< a number's bounds, as a signed number; a pointer's offset

    bool operator==(const Value&) const = default;

    bool is_pointer() const
    {
        return kind == Kind::Context || kind == Kind::Stack || kind == Kind::MapValue || kind == Kind::Section;
    }
    bool is_constant() const { return kind == Kind::Number && low == high; }

    static Value number(int64_t low, int64_t high) { return {Kind::Number, 0, 0, low, high}; }
    static Value constant(int64_t value) { return number(value, value); }
    static Value any() { return number(kLowest, kHighest); }
    /// Of that many bits, zero-extended.
    static Value unsigned_bits(uint32_t bits)
    {
        return bits >= 64 ? any() : number(0, static_cast<int64_t>((uint64_t{1} << bits) - 1));
    }
    static Value signed_bits(uint32_t bits)
    {
        return bits >= 64 ? any() : number(-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
    }
    static Value pointer(Kind kind, uint32_t which = 0, int64_t offset = 0) { return {kind, which, 0, offset, offset}; }
};

/// What holds of both. With `widen` a range of `a` that grows gives up at once, so that loops come to an end.
Value join(const Value& a, const Value& b, bool widen);

/// The result of an operator of BPF_ALU64 (`wide`) or BPF_ALU on values that are there; `offset` as in the instruction.
Value compute(uint8_t op, int16_t offset, bool wide, const Value& left, const Value& right);

/// What `left` is once "left op right" came out as `holds`; `right` is a constant.
Value refine(uint8_t op, const Value& left, int64_t right, bool holds);

} // namespace dt::vm
