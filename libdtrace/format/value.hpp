// Reading one datum out of the bytes the kernel wrote. Samples begin at odd multiples of four, so every access is a
// copy.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/format/escape.hpp"
#include "libdtrace/world/cgroups.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt::format {

/// What turning bytes into text needs besides the bytes. References outlive every formatter.
struct Environment {
    const std::vector<std::string>& names; ///< Schema::names
    const PrintOptions& options;
    Symbols& symbols;
    int64_t target = 0;               ///< pid that %A resolves a raw address in, 0: none
    ControlGroups* cgroups = nullptr; ///< none: no name of a control group is known
    uint64_t strsize = CompileOptions{}.strsize;
    unsigned columns = 0;        ///< of the terminal that is written to; 0: it is none
    bool has_estimates = false;  ///< values of aggregations that may be estimated are
    mutable bool escape = false; ///< a terminal would obey what is traced: control characters are made visible
    mutable Text visible{};      ///< what shown() returned last
};

/// Traced text as it may be printed. Until the next call.
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

/// Sizes other than 1, 2, 4 and 8 read as 0: there is no such integer.
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

/// An integer datum widened by its own signedness.
inline int64_t load_integer(const Datum& datum, const uint8_t* data)
{
    const uint8_t* at = data + datum.offset;
    return datum.kind == Datum::Kind::Signed ? load_signed(at, datum.size)
                                             : static_cast<int64_t>(load_unsigned(at, datum.size));
}

/// How the address of a Symbol or UserSymbol, which lies at `at`, is to be shown.
inline Datum::Address form_of(const Datum& datum, const uint8_t* at)
{
    const uint32_t plain = datum.kind == Datum::Kind::UserSymbol ? 16 : 8;
    return datum.size < plain + 8 ? datum.address : static_cast<Datum::Address>(load<uint64_t>(at + plain));
}

/// C's division, except that INT64_MIN / -1 wraps. `divisor` is not 0.
inline int64_t divided(int64_t value, int64_t divisor)
{
    return divisor == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(value)) : value / divisor;
}

/// Bytes up to the first NUL, at most `size`.
inline std::string_view load_text(const uint8_t* at, uint32_t size)
{
    const void* end = std::memchr(at, 0, size);
    const auto* text = reinterpret_cast<const char*>(at);
    return {text, end ? static_cast<std::size_t>(static_cast<const char*>(end) - text) : size};
}

/// The name with this string id; empty when there is none.
inline std::string_view load_name(const Environment& env, const uint8_t* at)
{
    const auto id = load<uint32_t>(at);
    return id < env.names.size() ? std::string_view(env.names[id]) : std::string_view();
}

/// The name of a Cgroup.
inline std::string_view load_cgroup(const Environment& env, const Datum& datum, const uint8_t* at)
{
    return env.cgroups ? env.cgroups->text(load<uint64_t>(at), datum.part) : std::string_view();
}

/// Text, Bytes, Name and Cgroup data as characters up to a NUL. Until the next call.
inline std::string_view load_characters(const Environment& env, const Datum& datum, const uint8_t* data)
{
    const uint8_t* at = data + datum.offset;
    return datum.kind == Datum::Kind::Name     ? load_name(env, at)
           : datum.kind == Datum::Kind::Cgroup ? load_cgroup(env, datum, at)
                                               : load_text(at, datum.size);
}

/// Is the datum a string of D, however it is recorded?
inline bool is_text(const Datum& datum)
{
    using Kind = Datum::Kind;
    return datum.kind == Kind::Text || datum.kind == Kind::Name || datum.kind == Kind::Cgroup;
}

/// Is the datum an address, or are there some in it?
inline bool is_address(const Datum& datum)
{
    using Kind = Datum::Kind;
    return datum.kind == Kind::Stack || datum.kind == Kind::UserStack || datum.kind == Kind::Symbol ||
           datum.kind == Kind::UserSymbol;
}

/// Whether reading `datum` stays inside `size` bytes: checked once per schema, so that reading need not.
inline bool fits(const Datum& datum, uint64_t size)
{
    using Kind = Datum::Kind;
    const uint32_t least = datum.kind == Kind::Name                                      ? 4
                           : datum.kind == Kind::Symbol || datum.kind == Kind::UserStack ? 8
                           : datum.kind == Kind::Cgroup                                  ? 8
                           : datum.kind == Kind::UserSymbol                              ? 16
                                                                                         : 0;
    return datum.size >= least && uint64_t{datum.offset} + datum.size <= size;
}

} // namespace dt::format
