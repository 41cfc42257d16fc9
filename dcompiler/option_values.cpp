// Parsers for each kind of value. They reject text that they cannot parse completely.
#include "dcompiler/option_values.hpp"

#include <algorithm>
#include <cctype>

#include "base/time.hpp"

namespace dt {
namespace {

using Text = std::string_view;

/// Reads the digits at the beginning of `text` (hexadecimal after 0x, octal after 0, else decimal) and removes them.
std::optional<uint64_t> take_number(Text& text)
{
    unsigned base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
        std::isxdigit(static_cast<unsigned char>(text[2]))) {
        base = 16;
        text.remove_prefix(2);
    } else if (!text.empty() && text[0] == '0') {
        base = 8;
    }
    uint64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size(); ++digits) {
        const auto c = static_cast<unsigned char>(text[digits]);
        const unsigned digit = std::isdigit(c) ? c - '0' : std::isxdigit(c) ? std::tolower(c) - 'a' + 10u : 99u;
        if (digit >= base)
            break;
        if (__builtin_mul_overflow(number, uint64_t{base}, &number) ||
            __builtin_add_overflow(number, uint64_t{digit}, &number))
            return {};
    }
    if (digits == 0)
        return {};
    text.remove_prefix(digits);
    return number;
}

} // namespace

bool equal_fold(Text a, Text b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<uint64_t> parse_number(Text text)
{
    const auto number = take_number(text);
    return text.empty() ? number : std::nullopt;
}

std::optional<uint64_t> parse_size(std::string_view text)
{
    static constexpr Text kSuffixes = "kmgt"; // 2^10, 2^20, 2^30, 2^40
    const auto number = take_number(text);
    if (!number || text.size() > 1)
        return {};
    if (text.empty())
        return number;
    const auto power = kSuffixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))));
    uint64_t size = 0;
    if (power == Text::npos || __builtin_mul_overflow(*number, uint64_t{1} << (10 * (power + 1)), &size))
        return {};
    return size;
}

std::optional<uint64_t> parse_time(std::string_view text)
{
    const auto number = take_number(text);
    if (!number)
        return {};
    if (equal_fold(text, "hz"))
        return *number == 0 ? 0 : kSecond / *number;
    const std::optional<uint64_t> unit = text.empty() ? std::optional<uint64_t>(1) : time_unit(text);
    uint64_t time = 0;
    return !unit || __builtin_mul_overflow(*number, *unit, &time) ? std::nullopt : std::optional(time);
}

} // namespace dt
