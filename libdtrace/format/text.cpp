// Implements the larger functions: digits, grouping and padding.
#include "libdtrace/format/text.hpp"

#include <algorithm>
#include <clocale>
#include <utility>

namespace dt::format {

namespace {

constexpr unsigned kMostDigits = 24; // 2^64 has 22 octal digits

// Pairs of digits. Converting two digits at a time halves the divisions, which dominate the time to print an integer.
constexpr char kPairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

// Writes the digits so that they end at `end`; returns the first one.
char* decimal(char* end, uint64_t value)
{
    while (value >= 100) {
        end -= 2;
        std::memcpy(end, kPairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        std::memcpy(end, kPairs + 2 * value, 2);
    } else {
        *--end = static_cast<char>('0' + value);
    }
    return end;
}

char* power_of_two(char* end, uint64_t value, unsigned bits, const char* digits)
{
    do {
        *--end = digits[value & ((1u << bits) - 1)];
        value >>= bits;
    } while (value != 0);
    return end;
}

char* digits_of(char* end, char conversion, uint64_t value)
{
    switch (conversion) {
    case 'o':
        return power_of_two(end, value, 3, "01234567");
    case 'x':
        return power_of_two(end, value, 4, "0123456789abcdef");
    case 'X':
        return power_of_two(end, value, 4, "0123456789ABCDEF");
    default:
        return decimal(end, value);
    }
}

// Groups digits for %' with the locale's separator; the C locale has none.
std::string grouped(std::string_view digits)
{
    const lconv* locale = std::localeconv();
    const std::string_view separator = locale->thousands_sep;
    const char* group = locale->grouping;
    std::string reversed(digits.rbegin(), digits.rend());
    if (separator.empty() || *group <= 0)
        return std::string(digits);
    const std::string back(separator.rbegin(), separator.rend());
    std::string result;
    std::size_t left = static_cast<std::size_t>(*group);
    for (std::size_t i = 0; i < reversed.size(); ++i, --left) {
        if (left == 0) {
            result += back;
            if (group[1] > 0)
                ++group;
            left = static_cast<std::size_t>(*group);
        }
        result += reversed[i];
    }
    std::reverse(result.begin(), result.end());
    return result;
}

} // namespace

void Text::grow(std::size_t bytes)
{
    const std::size_t wanted = std::max(size_ + bytes, capacity_ * 2);
    auto larger = std::make_unique_for_overwrite<char[]>(wanted);
    if (size_ != 0)
        std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = wanted;
}

void append_right(Text& out, std::string_view text, std::size_t width)
{
    if (text.size() < width)
        out.fill(' ', width - text.size());
    out.append(text);
}

void append_left(Text& out, std::string_view text, std::size_t width)
{
    out.append(text);
    if (text.size() < width)
        out.fill(' ', width - text.size());
}

void append_unsigned(Text& out, uint64_t value, unsigned width)
{
    char buffer[kMostDigits];
    char* end = buffer + sizeof buffer;
    const char* first = decimal(end, value);
    append_right(out, {first, static_cast<std::size_t>(end - first)}, width);
}

void append_signed(Text& out, int64_t value, unsigned width)
{
    char buffer[kMostDigits];
    char* end = buffer + sizeof buffer;
    char* first = decimal(end, value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
    if (value < 0)
        *--first = '-';
    append_right(out, {first, static_cast<std::size_t>(end - first)}, width);
}

void append_hex(Text& out, uint64_t value, unsigned width)
{
    char buffer[kMostDigits];
    char* end = buffer + sizeof buffer;
    const char* first = power_of_two(end, value, 4, "0123456789abcdef");
    append_right(out, {first, static_cast<std::size_t>(end - first)}, width);
}

void append_text(Text& out, const Layout& layout, std::string_view text)
{
    if (layout.precision >= 0)
        text = text.substr(0, static_cast<std::size_t>(layout.precision));
    const auto width = static_cast<std::size_t>(layout.width);
    if (layout.left)
        append_left(out, text, width);
    else
        append_right(out, text, width);
}

void append_integer(Text& out, const Layout& layout, char conversion, uint64_t magnitude, bool negative)
{
    char buffer[kMostDigits];
    char* end = buffer + sizeof buffer;
    const char* first = digits_of(end, conversion, magnitude);
    std::string_view digits(first, static_cast<std::size_t>(end - first));
    std::string with_groups;
    if (layout.group && (conversion == 'd' || conversion == 'u')) {
        with_groups = grouped(digits);
        digits = with_groups;
    }

    std::string_view prefix;
    if (conversion == 'd')
        prefix = negative ? "-" : layout.plus ? "+" : layout.space ? " " : "";
    else if (layout.alternate && magnitude != 0 && conversion == 'x')
        prefix = "0x";
    else if (layout.alternate && magnitude != 0 && conversion == 'X')
        prefix = "0X";

    std::size_t zeros = 0;
    const auto precision = static_cast<std::size_t>(std::max(layout.precision, 0));
    if (precision > digits.size())
        zeros = precision - digits.size();
    if (conversion == 'o' && layout.alternate && zeros == 0 && digits[0] != '0')
        zeros = 1;
    const auto width = static_cast<std::size_t>(layout.width);
    std::size_t length = prefix.size() + zeros + digits.size();
    if (layout.zero && !layout.left && layout.precision < 0 && length < width) {
        zeros += width - length;
        length = width;
    }
    const std::size_t blanks = length < width ? width - length : 0;
    if (!layout.left)
        out.fill(' ', blanks);
    out.append(prefix);
    out.fill('0', zeros);
    out.append(digits);
    if (layout.left)
        out.fill(' ', blanks);
}

} // namespace dt::format
