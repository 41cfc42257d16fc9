// Access to a datum in the bytes that the kernel recorded. Samples begin at odd multiples of four bytes. So a datum may
// be misaligned, and every access must copy its bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/format/converted_texts.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/kernel/cgroups.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace dt::format {

/// Data that all formatting functions need, such as names, symbols and options. The referenced objects must outlive
/// this structure.
struct Environment {
    const std::vector<std::string>& names; ///< Schema::names; a datum of kind Name contains an index into this list
    const PrintOptions& options;
    Symbols& symbols;
    int64_t target = 0;               ///< id of the process whose symbols %A prints; 0 if there is none
    ControlGroups* cgroups = nullptr; ///< names of control groups; null if they are not available
    uint64_t strsize = CompileOptions{}.strsize;
    unsigned columns = 0; ///< width of the output's terminal in columns; 0 if the output is not a terminal
    /// whether the values of some aggregations are estimated, because firings were sampled
    bool has_estimates = false;
    mutable bool escape = false; ///< whether the output is a terminal, so that control characters must be made visible
    mutable Text visible{};      ///< memory of the text that shown() returns
    mutable ConvertedTexts converted{};
};

/// Returns text from a traced program; if the output is a terminal, its control characters are made visible. Valid
/// until the next call.
inline std::string_view shown(const Environment& env, std::string_view text)
{
    if (!env.escape || !has_controls(text))
        return text;
    env.visible.clear();
    append_visible(env.visible, text);
    return env.visible.view();
}

template <typename T> T load(const uint8_t* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// Return the integer of `size` bytes at an address. For sizes other than 1, 2, 4 and 8 bytes, they return 0.
inline uint64_t load_unsigned(const uint8_t* at, uint32_t size)
{
    switch (size) {
    case 1:
        return *at;
    case 2:
        return load<uint16_t>(at);
    case 4:
        return load<uint32_t>(at);
    case 8:
        return load<uint64_t>(at);
    default:
        return 0;
    }
}

inline int64_t load_signed(const uint8_t* at, uint32_t size)
{
    switch (size) {
    case 1:
        return load<int8_t>(at);
    case 2:
        return load<int16_t>(at);
    case 4:
        return load<int32_t>(at);
    default:
        return static_cast<int64_t>(load_unsigned(at, size));
    }
}

/// Returns an integer datum, sign- or zero-extended according to its kind.
inline int64_t load_integer(const Datum& datum, const uint8_t* data)
{
    const uint8_t* at = data + datum.offset;
    return datum.kind == Datum::Kind::Signed ? load_signed(at, datum.size)
                                             : static_cast<int64_t>(load_unsigned(at, datum.size));
}

/// Returns how the address of a Symbol or UserSymbol datum is printed. `at` points to the datum.
inline Datum::Address form_of(const Datum& datum, const uint8_t* at)
{
    const uint32_t plain = datum.kind == Datum::Kind::UserSymbol ? 16 : 8;
    return datum.size < plain + 8 ? datum.address : static_cast<Datum::Address>(load<uint64_t>(at + plain));
}

/// Divides as in C, except that INT64_MIN / -1 wraps. `divisor` must not be 0.
inline int64_t divided(int64_t value, int64_t divisor)
{
    return divisor == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(value)) : value / divisor;
}

/// Returns the bytes up to the first NUL, at most `size`.
inline std::string_view load_text(const uint8_t* at, uint32_t size)
{
    const void* end = std::memchr(at, 0, size);
    const auto* text = reinterpret_cast<const char*>(at);
    return {text, end ? static_cast<std::size_t>(static_cast<const char*>(end) - text) : size};
}

/// Returns a string of Environment::names by its index, or an empty string if the index is not valid.
inline std::string_view name_of(const Environment& env, uint32_t id)
{
    return id < env.names.size() ? std::string_view(env.names[id]) : std::string_view();
}

/// Returns the name of a Cgroup datum.
inline std::string_view load_cgroup(const Environment& env, const Datum& datum, const uint8_t* at)
{
    return env.cgroups ? env.cgroups->text(load<uint64_t>(at), datum.part) : std::string_view();
}

/// Returns the text of a Converted datum.
inline std::string_view load_converted(const Environment& env, const Datum& datum, const uint8_t* at)
{
    return env.converted.text(datum, load<int64_t>(at), name_of(env, datum.constant));
}

/// Returns Text, Bytes, Name, Cgroup and Converted data as characters up to the first NUL. The result is valid until
/// the next but one call.
inline std::string_view load_characters(const Environment& env, const Datum& datum, const uint8_t* data)
{
    const uint8_t* at = data + datum.offset;
    return datum.kind == Datum::Kind::Name        ? name_of(env, load<uint32_t>(at))
           : datum.kind == Datum::Kind::Cgroup    ? load_cgroup(env, datum, at)
           : datum.kind == Datum::Kind::Converted ? load_converted(env, datum, at)
                                                  : load_text(at, datum.size);
}

/// Returns whether the datum is a D string, in any form of storage.
inline bool is_text(const Datum& datum)
{
    using Kind = Datum::Kind;
    return datum.kind == Kind::Text || datum.kind == Kind::Name || datum.kind == Kind::Cgroup ||
           datum.kind == Kind::Converted;
}

/// Returns whether the datum is recorded as a number and only the consumer computes its text. Data with different
/// numbers may then have the same text.
inline bool is_recorded_as_number(const Datum& datum)
{
    return datum.kind == Datum::Kind::Cgroup || datum.kind == Datum::Kind::Converted;
}

/// Returns whether the datum is or contains addresses.
inline bool is_address(const Datum& datum)
{
    using Kind = Datum::Kind;
    return datum.kind == Kind::Stack || datum.kind == Kind::UserStack || datum.kind == Kind::Symbol ||
           datum.kind == Kind::UserSymbol;
}

/// Returns whether `datum` lies within the first `size` bytes. This is checked once per schema, so that no check is
/// needed when records are read.
inline bool fits(const Datum& datum, uint64_t size)
{
    using Kind = Datum::Kind;
    const uint32_t least = datum.kind == Kind::Name                                      ? 4
                           : datum.kind == Kind::Symbol || datum.kind == Kind::UserStack ? 8
                           : datum.kind == Kind::Cgroup || datum.kind == Kind::Converted ? 8
                           : datum.kind == Kind::UserSymbol                              ? 16
                                                                                         : 0;
    return datum.size >= least && uint64_t{datum.offset} + datum.size <= size;
}

} // namespace dt::format
