// Values of integer, character and string literals, in program text and in macro arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::syntax {

/// Resolves \a \b \f \n \r \t \v \\ \" \ooo \xH…; any other \c stays two characters.
std::string unescape(std::string_view text);

struct IntegerLiteral {
    std::size_t length = 0; ///< number of characters read, suffix included; 0: not an integer
    uint64_t value = 0;
    bool decimal = true;
    bool unsigned_suffix = false;
    uint8_t longs = 0;
    bool overflow = false;         ///< more than 64 bits
    std::optional<char> bad_digit; ///< 8 or 9 in an octal constant

    /// Returns whether a type can hold the value. A decimal constant without u needs a signed type.
    bool has_type() const
    {
        return !overflow && (!decimal || unsigned_suffix || value <= static_cast<uint64_t>(INT64_MAX));
    }
};

/// Reads the integer at the start of `text`: decimal, 0 octal, 0x hexadecimal, then [uU]?[lL]?[lL]?.
IntegerLiteral read_integer(std::string_view text);

inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
inline bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name_char(char c)
{
    return is_alpha(c) || is_digit(c) || c == '`';
}
inline bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

} // namespace dt::syntax
