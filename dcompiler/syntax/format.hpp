// Parser of printf format strings for printf(), printa(), system() and freopen().
//
// The checker checks the arguments of a format, and the consumer prints them. Both use the same parsed form, so that
// they agree. The conversions are one table (format.cpp); its specification is dtrace-output(7), FORMATS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace dt::format {

/// Kind of argument that a conversion takes.
enum class Takes : uint8_t {
    Nothing,       ///< %%, which takes no argument
    Integer,       ///< conversions %d %i %o %u %x %X, for any integer or enum
    Sized,         ///< integer with a size (hh h l ll j z t): see ConversionInfo::size and wants_signed
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

/// An entry in the table of conversions, such as %d.
struct ConversionInfo {
    std::string_view name; ///< name of the conversion, such as "d", "lld", "s" or "%"
    Takes takes;
    /// text after "prototype:" in the error about a wrong argument, such as "char [] or string (or use stringof)"
    std::string_view prototype;
    /// Size that a conversion such as %hd names. 'h', 'l' and 'q' (long long) belong to Takes::Sized: the argument must
    /// have exactly this type. 'b' (hh), 'j' and 'z' (z and t) take any integer, which is converted to one byte or to
    /// eight as in C. In the 32-bit data model, the checker first converts an argument of 'z' to four bytes.
    char size = 0;
    bool wants_signed = false; ///< for Takes::Sized: whether the argument may be signed
    bool wants_unsigned = false;
};

/// Returns the table entry of the conversion with this name, or null.
const ConversionInfo* find_conversion(std::string_view name);

/// A conversion in a format: flags, size and name. It takes up to three arguments, in this order: the width if it is
/// `*`, the precision if it is `*`, and the value (except %% and %@).
struct Conversion {
    bool alternate = false;       ///< flag #
    bool zero = false;            ///< flag 0 (pad with zeros); never together with flag -
    bool left = false;            ///< flag -
    bool plus = false;            ///< flag +
    bool space = false;           ///< flag blank (a space)
    bool group = false;           ///< flag '
    bool aggregation = false;     ///< flag @
    std::optional<int> width;     ///< width given by digits, or 16 for `?`
    std::optional<int> precision; ///< precision from digits; 0 is treated like no precision
    bool width_star = false, precision_star = false;
    /// Number of the conversion in the format, counted from 1, including %%. Messages say "conversion #N".
    int number = 0;
    const ConversionInfo* info = nullptr; ///< table entry of the conversion; not null after parse()

    std::string_view name() const { return info->name; }
    /// Returns the size in bytes to which the conversion converts an integer before printing, or 0 if it does not
    /// convert it.
    uint32_t converts_to() const { return info->size == 'b' ? 1 : info->size == 'j' || info->size == 'z' ? 8 : 0; }
    bool is_percent() const { return info->takes == Takes::Nothing; }
};

using Piece = std::variant<std::string, Conversion>;

/// A format as a list of literal texts and conversions, in order. A literal text is not empty, and does not follow
/// another one.
struct Format {
    std::vector<Piece> pieces;
};

/// Parses a format up to its first NUL. An error is a message for users, without the name of the function that has the
/// format.
Result<Format> parse(std::string_view text);

} // namespace dt::format
