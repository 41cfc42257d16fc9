// printf format strings: what printf(), printa(), system() and freopen() texts consist of.
//
// The checker must know which values a format wants and the consumer must print them; both read the same parsed form,
// so that what was checked is what is printed. The conversions are one table (format.cpp); dtrace-output(7), FORMATS,
// is its source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace dt::format {

/// What kind of value a conversion prints.
enum class Takes : uint8_t {
    Nothing,       ///< %%
    Integer,       ///< d i o u x X: any integer or enum
    Sized,         ///< hh h l ll j z t forms, see ConversionInfo::size and the sign flags
    Character,     ///< c C
    WideCharacter, ///< lc wc
    String,        ///< s S
    WideString,    ///< ls ws
    Float,         ///< e E f g G
    LongDouble,    ///< the same with L
    Pointer,       ///< p
    KernelAddress, ///< a
    UserAddress,   ///< A
    Stack,         ///< k
    Time,          ///< T Y
};

/// One entry of the table of conversions.
struct ConversionInfo {
    std::string_view name; ///< "d", "lld", "s", "%"
    Takes takes;
    std::string_view prototype; ///< the "prototype:" text of an argument error: "char [] or string (or use stringof)"
    char size = 0;              ///< Sized: 'h', 'l' or 'q' (long long): that type alone; 'b' (hh) or 'j' (j, z and t):
                                ///< any integer, converted to one byte or to eight as C does
    bool wants_signed = false;  ///< Sized: accepts the signed type
    bool wants_unsigned = false;
};

/// The table entry of that exact name, or null.
const ConversionInfo* find_conversion(std::string_view name);

/// One %…: flags, sizes and name. Arguments are taken in the order: width `*`, precision `*`, the value (not for %%,
/// and not for %@).
struct Conversion {
    bool alternate = false;       ///< #
    bool zero = false;            ///< 0; never together with left
    bool left = false;            ///< -
    bool plus = false;            ///< +
    bool space = false;           ///< blank
    bool group = false;           ///< '
    bool aggregation = false;     ///< @
    std::optional<int> width;     ///< digits, or 16 for `?`
    std::optional<int> precision; ///< never 0: that means none
    bool width_star = false, precision_star = false;
    int number = 0;                       ///< from 1; every % counts, %% too. What messages call "conversion #N"
    const ConversionInfo* info = nullptr; ///< never null after parse()

    std::string_view name() const { return info->name; }
    /// Bytes that an integer is converted to before it is printed, 0: it is printed as it is.
    uint32_t converts_to() const { return info->size == 'b' ? 1 : info->size == 'j' ? 8 : 0; }
    bool is_percent() const { return info->takes == Takes::Nothing; }
};

using Piece = std::variant<std::string, Conversion>;

/// Literal text and conversions, in order. Two texts never follow each other and none is empty.
struct Format {
    std::vector<Piece> pieces;
};

/// Parses a format. The text ends at its first NUL. The error is the message that users see, with no function name
/// before it.
Result<Format> parse(std::string_view text);

} // namespace dt::format
