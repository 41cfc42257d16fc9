// Implements the larger functions of Text: digits, grouping and padding, C escape sequences, and hex dumps.
#include "libdtrace/format/text.hpp"

#include <algorithm>
#include <clocale>
#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace dt::format {

namespace {

constexpr unsigned kMaxDigits = 24; // maximum number of digits of an integer; 2^64 - 1 has 22 octal digits

// The two digits of each number from 0 to 99. Most of the time for printing an integer is spent on divisions; this
// table halves their number.
constexpr char kPairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

// Writes the digits of a number into memory so that they end at `end`; returns a pointer to the first digit.
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

// Groups digits for %' with the locale's separator. The C locale has no separator.
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
    char buffer[kMaxDigits];
    char* end = buffer + sizeof buffer;
    const char* first = decimal(end, value);
    append_right(out, {first, static_cast<std::size_t>(end - first)}, width);
}

void append_signed(Text& out, int64_t value, unsigned width)
{
    char buffer[kMaxDigits];
    char* end = buffer + sizeof buffer;
    char* first = decimal(end, value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
    if (value < 0)
        *--first = '-';
    append_right(out, {first, static_cast<std::size_t>(end - first)}, width);
}

void append_hex(Text& out, uint64_t value, unsigned width)
{
    char buffer[kMaxDigits];
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
    char buffer[kMaxDigits];
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

// Escapes a character as C does: by the letter that C defines for it, or otherwise by octal digits.

namespace {

struct Escape {
    char character;
    char letter;
};

constexpr Escape kEscapes[] = {{'\0', '0'}, {'\a', 'a'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'},
                               {'\r', 'r'}, {'\t', 't'}, {'\v', 'v'}, {'"', '"'},  {'\\', '\\'}};

char letter_of(char c)
{
    for (const Escape& escape : kEscapes)
        if (escape.character == c)
            return escape.letter;
    return 0;
}

bool is_control(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1)
        return first < ' ' || first == 0x7f;
    // U+0080 to U+009F are control characters: terminals interpret each of them as ESC followed by a letter
    if (sequence.size() == 2)
        return first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
    // Characters that change the writing direction (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and line
    // separators.
    static constexpr std::string_view kLayout[] = {
        "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
        "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
    return std::find(std::begin(kLayout), std::end(kLayout), sequence) != std::end(kLayout);
}

void append_octal(Text& out, char c)
{
    const auto byte = static_cast<unsigned char>(c);
    const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)),
                          static_cast<char>('0' + (byte & 7))};
    out.append({octal, 4});
}

} // namespace

bool has_controls(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0 || is_control(text.substr(0, length)))
            return true;
        text.remove_prefix(length);
    }
    return false;
}

void append_visible(Text& out, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
        const std::string_view sequence = text.substr(0, length);
        text.remove_prefix(length);
        if (!has_controls(sequence))
            out.append(sequence);
        else if (sequence[0] >= '\a' && sequence[0] <= '\r')
            append_escaped(out, sequence);
        else
            for (const char c : sequence)
                append_octal(out, c);
    }
}

void append_character_literal(Text& out, char c)
{
    out.append('\'');
    if (c == '\'')
        out.append("\\'");
    else if (c == '"') // in a character literal, unlike in a string, a double quote needs no backslash
        out.append(c);
    else
        append_escaped(out, {&c, 1});
    out.append('\'');
}

void append_escaped(Text& out, std::string_view text)
{
    for (const char c : text) {
        if (const char letter = letter_of(c)) {
            const char pair[] = {'\\', letter};
            out.append({pair, 2});
        } else if (c >= ' ' && c <= '~') {
            out.append(c);
        } else {
            append_octal(out, c);
        }
    }
}

// Prints rows of bytes in hexadecimal with their characters.

namespace {

constexpr std::size_t kPerLine = 16;
constexpr std::string_view kHeading =
    "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";

bool is_printable(uint8_t c)
{
    return c >= ' ' && c <= '~';
}

} // namespace

void append_hexdump(Text& out, std::span<const uint8_t> bytes)
{
    if (bytes.empty())
        return;
    constexpr char digits[] = "0123456789abcdef";
    out.append(kHeading);
    for (std::size_t at = 0; at < bytes.size(); at += kPerLine) {
        const auto line = bytes.subspan(at, std::min(kPerLine, bytes.size() - at));
        out.fill(' ', 5);
        append_hex(out, at, 5);
        out.append(':');
        for (const uint8_t byte : line) {
            const char text[] = {' ', digits[byte >> 4], digits[byte & 15]};
            out.append({text, sizeof text});
        }
        out.fill(' ', 3 * (kPerLine - line.size()) + 2);
        for (const uint8_t byte : line)
            out.append(is_printable(byte) ? static_cast<char>(byte) : '.');
        out.append('\n');
    }
}

bool looks_like_text(std::span<const uint8_t> bytes)
{
    const auto end = std::find(bytes.begin(), bytes.end(), 0);
    if (end == bytes.begin())
        return false;
    const auto is_text = [](uint8_t c) {
        return is_printable(c) || (c >= '\t' && c <= '\r') || c == '\b' || c == '\a';
    };
    return std::all_of(bytes.begin(), end, is_text) && std::all_of(end, bytes.end(), [](uint8_t c) { return c == 0; });
}

} // namespace dt::format
