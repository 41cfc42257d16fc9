// Facts about a value before the program runs: a number in a range, or a pointer into memory of known size.
#pragma once

#include <cstdint>
#include <limits>

namespace dt::vm {

inline constexpr uint32_t kNoOrigin = 0xffffffff;
inline constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

struct Value {
    enum class Kind : uint8_t {
        Nothing, ///< written on no path
        Perhaps, ///< written on some paths
        Number,
        Context,
        Stack, ///< pointer into the function's frame; offset 0 is after its last byte
        MapValue,
        MapValueOrNull,
        Section,
        Map,      ///< map reference for helpers
        Function, ///< function reference for helpers
    };
    Kind kind = Kind::Nothing;
    uint32_t which = 0;        ///< index of the map or section, or first instruction of the function
    uint32_t origin = 0;       ///< of MapValueOrNull: the call that returned it, or kNoOrigin if several may have
    int64_t low = 0, high = 0; ///< bounds of a signed number, or of a pointer's offset

    bool operator==(const Value&) const = default;

    bool is_pointer() const
    {
        return kind == Kind::Context || kind == Kind::Stack || kind == Kind::MapValue || kind == Kind::Section;
    }
    bool is_constant() const { return kind == Kind::Number && low == high; }

    static Value number(int64_t low, int64_t high) { return {Kind::Number, 0, 0, low, high}; }
    static Value constant(int64_t value) { return number(value, value); }
    static Value any() { return number(kLowest, kHighest); }
    /// Returns any zero-extended number with this many bits.
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

/// Returns the facts that hold for both. With `widen`, a growing range of `a` becomes unlimited at once, so that the
/// analysis of loops ends.
Value join(const Value& a, const Value& b, bool widen);

/// Returns the result of an operator of BPF_ALU64 (`wide`) or BPF_ALU; both values exist. `offset` is the
/// instruction's.
Value compute(uint8_t op, int16_t offset, bool wide, const Value& left, const Value& right);

/// Returns the facts about `left` when "left op right" is `holds`; `right` is a constant.
Value refine(uint8_t op, const Value& left, int64_t right, bool holds);

} // namespace dt::vm
