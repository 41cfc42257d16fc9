// Table of D's keywords, and the parsers of literals, which follow C's rules for digits and escapes.
#include "dcompiler/syntax/token.hpp"

#include <algorithm>
#include <iterator>

#include "base/time.hpp"

namespace dt::syntax {

namespace {

struct Entry {
    std::string_view text;
    Keyword keyword;
};

// The table of keywords is sorted by spelling.
constexpr Entry kKeywords[] = {
    {"auto", Keyword::Auto},
    {"break", Keyword::Break},
    {"case", Keyword::Case},
    {"char", Keyword::Char},
    {"const", Keyword::Const},
    {"continue", Keyword::Continue},
    {"counter", Keyword::Counter},
    {"default", Keyword::Default},
    {"do", Keyword::Do},
    {"double", Keyword::Double},
    {"else", Keyword::Else},
    {"enum", Keyword::Enum},
    {"extern", Keyword::Extern},
    {"float", Keyword::Float},
    {"for", Keyword::For},
    {"goto", Keyword::Goto},
    {"if", Keyword::If},
    {"import", Keyword::Import},
    {"inline", Keyword::Inline},
    {"int", Keyword::Int},
    {"long", Keyword::Long},
    {"offsetof", Keyword::Offsetof},
    {"probe", Keyword::Probe},
    {"provider", Keyword::Provider},
    {"register", Keyword::Register},
    {"restrict", Keyword::Restrict},
    {"return", Keyword::Return},
    {"self", Keyword::Self},
    {"short", Keyword::Short},
    {"signed", Keyword::Signed},
    {"sizeof", Keyword::Sizeof},
    {"static", Keyword::Static},
    {"string", Keyword::String},
    {"stringof", Keyword::Stringof},
    {"struct", Keyword::Struct},
    {"switch", Keyword::Switch},
    {"this", Keyword::This},
    {"translator", Keyword::Translator},
    {"typedef", Keyword::Typedef},
    {"union", Keyword::Union},
    {"unsigned", Keyword::Unsigned},
    {"void", Keyword::Void},
    {"volatile", Keyword::Volatile},
    {"while", Keyword::While},
    {"xlate", Keyword::Xlate},
};

} // namespace

Keyword find_keyword(std::string_view text)
{
    const auto* found = std::lower_bound(std::begin(kKeywords), std::end(kKeywords), text,
                                         [](const Entry& entry, std::string_view key) { return entry.text < key; });
    return found != std::end(kKeywords) && found->text == text ? found->keyword : Keyword::None;
}

namespace {

unsigned digit_value(char c)
{
    if (is_digit(c))
        return static_cast<unsigned>(c - '0');
    return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

bool is_octal_digit(char c)
{
    return c >= '0' && c <= '7';
}

// Returns the character that an escape such as \n denotes, or nothing.
std::optional<char> simple_escape(char c)
{
    constexpr std::string_view letters = "abfnrtv\\\"";
    constexpr std::string_view values = "\a\b\f\n\r\t\v\\\"";
    const std::size_t at = letters.find(c);
    if (at == std::string_view::npos)
        return std::nullopt;
    return values[at];
}

} // namespace

std::string unescape(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i++];
            continue;
        }
        const char c = text[i + 1];
        if (auto value = simple_escape(c)) {
            result += *value;
            i += 2;
        } else if (is_octal_digit(c)) {
            unsigned value = 0;
            std::size_t end = i + 1;
            for (; end < text.size() && end < i + 4 && is_octal_digit(text[end]); ++end)
                value = value * 8 + digit_value(text[end]);
            result += static_cast<char>(value);
            i = end;
        } else if (c == 'x' && i + 2 < text.size() && is_hex_digit(text[i + 2])) {
            unsigned value = 0;
            std::size_t end = i + 2;
            for (; end < text.size() && is_hex_digit(text[end]); ++end)
                value = (value * 16 + digit_value(text[end])) & 0xff;
            result += static_cast<char>(value);
            i = end;
        } else {
            result += '\\';
            result += c;
            i += 2;
        }
    }
    return result;
}

IntegerLiteral read_integer(std::string_view text)
{
    IntegerLiteral result;
    if (text.empty() || !is_digit(text[0]))
        return result;
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' && is_hex_digit(text[2]);
    const unsigned base = hex ? 16 : text[0] == '0' ? 8 : 10;
    result.decimal = base == 10;
    std::size_t i = hex ? 2 : 0;
    for (; i < text.size() && (hex ? is_hex_digit(text[i]) : is_digit(text[i])); ++i) {
        const unsigned digit = digit_value(text[i]);
        if (digit >= base && !result.bad_digit)
            result.bad_digit = text[i];
        if (result.value > (UINT64_MAX - digit) / base)
            result.overflow = true;
        result.value = result.value * base + digit;
    }
    if (i < text.size() && (text[i] | 0x20) == 'u') {
        result.unsigned_suffix = true;
        ++i;
    }
    for (; i < text.size() && result.longs < 2 && (text[i] | 0x20) == 'l'; ++i)
        ++result.longs;
    result.length = i;
    return result;
}

std::optional<IntegerLiteral> read_duration(std::string_view text)
{
    std::size_t digits = 0, end = 0;
    while (digits < text.size() && is_digit(text[digits]))
        ++digits;
    for (end = digits; end < text.size() && (is_alpha(text[end]) || is_digit(text[end]));)
        ++end;
    const std::optional<uint64_t> unit = time_unit(text.substr(digits, end - digits));
    if (!unit || digits == 0 || (digits > 1 && text[0] == '0'))
        return std::nullopt;
    IntegerLiteral result = read_integer(text.substr(0, digits));
    result.overflow |= result.value > static_cast<uint64_t>(INT64_MAX) / *unit;
    result.value *= *unit;
    result.decimal = true;
    result.longs = 1;
    result.length = end;
    return result;
}

} // namespace dt::syntax
