// Implements the escapes of JSON strings.
#include "base/json.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace dt {
namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // the replacement character U+FFFD in UTF-8

std::string_view short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return "\\r";
    default:
        return {};
    }
}

/// Returns the length of the first character if it needs no escape, else 0.
std::size_t plain_length(std::string_view text)
{
    const auto c = static_cast<unsigned char>(text[0]);
    return c < ' ' || c == 0x7f || c == '"' || c == '\\' ? 0 : utf8_length(text);
}

} // namespace

std::string_view take_json(std::string_view& text, char (&room)[6])
{
    std::size_t plain = 0;
    while (plain < text.size()) {
        const std::size_t length = plain_length(text.substr(plain));
        if (length == 0)
            break;
        plain += length;
    }
    const std::string_view piece = text.substr(0, plain);
    if (plain != 0) {
        text.remove_prefix(plain);
        return piece;
    }
    const char c = text[0];
    text.remove_prefix(1);
    if (static_cast<unsigned char>(c) >= 0x80)
        return kReplacement;
    if (const std::string_view escape = short_escape(c); !escape.empty())
        return escape;
    const char code[] = {'\\', 'u', '0', '0', kDigits[c >> 4 & 15], kDigits[c & 15]};
    std::copy(std::begin(code), std::end(code), room);
    return {room, sizeof room};
}

} // namespace dt
