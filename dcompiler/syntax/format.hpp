// Parser of printf format strings for printf(), printa(), system() and freopen().
//
// The checker needs to know the values that a format requires, and the consumer prints them. Both use the same parsed
// form, so that checks and output agree. The conversions are one table (format.cpp); its specification is
// dtrace-output(7), FORMATS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace dt::format {

/// Kind of value that a conversion prints.
enum class Takes : uint8_t {
    Nothing,       ///< %%, which takes no argument
    Integer,       ///< conversions %d %i %o %u %x %X: any integer or enum
    Sized,         ///< integer with a size: forms with hh h l ll j z t; see ConversionInfo::size and wants_signed
    Character,     ///< conversions %c and %C
    WideCharacter, ///< conversions %lc and %wc
    String,        ///< conversions %s and %S
    WideString,    ///< conversions %ls and %ws
    Float,         ///< conversions %e %E %f %g %G
    LongDouble,    ///< conversions %e %E %f %g %G with L
    Pointer,       ///< conversion %p
    KernelAddress, ///< conversion %a
    UserAddress,   ///< conversion %A
    Stack,         ///< conversion %k
    Time,          ///< conversions %T and %Y
};

/// One entry of the table of conversions.
struct ConversionInfo {
    std::string_view name; ///< name of the conversion, such as "d", "lld", "s" or "%"
    Takes takes;
    /// text that follows "prototype:" in an argument error, such as "char [] or string (or use stringof)"
    std::string_view prototype;
    /// Sized: 'h', 'l' or 'q' (long long): the argument must have exactly that type. 'b' (hh), 'j' or 'z' (z and t):
    /// any integer, converted to one byte or to eight as in C. In the 32-bit data model the checker first converts an
    /// argument of 'z' to four bytes.
    char size = 0;
    bool wants_signed = false; ///< for Takes::Sized: whether the signed type of this size is accepted
    bool wants_unsigned = false;
};

/// Returns the table entry with this exact name, or null.
const ConversionInfo* find_conversion(std::string_view name);

/// A conversion: flags, sizes and name. A conversion takes up to three arguments in this order: width if it is `*`,
/// precision if it is `*`, value (except %% and %@).
struct Conversion {
    bool alternate = false;       ///< flag #
    bool zero = false;            ///< flag 0; never together with flag -
    bool left = false;            ///< flag -
    bool plus = false;            ///< flag +
    bool space = false;           ///< flag blank (a space)
    bool group = false;           ///< flag '
    bool aggregation = false;     ///< flag @
    std::optional<int> width;     ///< width given by digits, or 16 for `?`
    std::optional<int> precision; ///< precision given by digits; a precision of 0 is treated like an absent precision
    bool width_star = false, precision_star = false;
    /// Position of the conversion in the format, counted from 1 and including %%; messages call it "conversion #N".
    int number = 0;
    const ConversionInfo* info = nullptr; ///< table entry of the conversion; never null after parse()

    std::string_view name() const { return info->name; }
    /// Returns the size in bytes to which an integer is converted before printing, or 0 if it is not converted.
    uint32_t converts_to() const { return info->size == 'b' ? 1 : info->size == 'j' || info->size == 'z' ? 8 : 0; }
    bool is_percent() const { return info->takes == Takes::Nothing; }
};

using Piece = std::variant<std::string, Conversion>;

/// Pieces of literal text and conversions, in order. Literal pieces are never empty and never adjacent.
struct Format {
    std::vector<Piece> pieces;
};

/// Parses a format up to its first NUL. The error is a message for users, without a function name.
Result<Format> parse(std::string_view text);

} // namespace dt::format
