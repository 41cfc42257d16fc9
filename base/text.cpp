// Implements globs, validation of UTF-8, and base64.
//
// Globs are matched against tens of thousands of probe names, so matching does not recurse. It needs to remember only
// the last star, because that star can match everything that an earlier star could.
#include "base/text.hpp"

#include <array>

namespace dt {
namespace {

/// A bracket expression of a glob. `end` is the index after its `]`.
struct Bracket {
    bool matches = false;
    std::size_t end = 0;
};

/// Matches the bracket expression at pattern[at]. Returns nothing if it has no closing bracket; `[` is then an ordinary
/// character. A `]` directly after the opening bracket is a member.
std::optional<Bracket> match_bracket(std::string_view pattern, std::size_t at, char c)
{
    std::size_t i = at + 1;
    const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    i += inverted;
    const auto literal = [&] { return pattern[i] == '\\' && i + 1 < pattern.size() ? pattern[++i] : pattern[i]; };
    bool found = false;
    for (bool first = true; i < pattern.size(); first = false, ++i) {
        if (pattern[i] == ']' && !first)
            return Bracket{found != inverted, i + 1};
        const char low = literal();
        char high = low;
        if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            i += 2;
            high = literal();
        }
        found |= static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
                 static_cast<unsigned char>(c) <= static_cast<unsigned char>(high);
    }
    return {};
}

/// Matches one pattern element other than `*` with one character. Returns the index after the element, or 0 if they do
/// not match.
std::size_t match_one(std::string_view pattern, std::size_t at, char c)
{
    switch (pattern[at]) {
    case '?':
        return at + 1;
    case '[':
        if (const auto bracket = match_bracket(pattern, at, c))
            return bracket->matches ? bracket->end : 0;
        break;
    case '\\':
        if (at + 1 < pattern.size())
            return pattern[at + 1] == c ? at + 2 : 0;
        break;
    default:
        break;
    }
    return pattern[at] == c ? at + 1 : 0;
}

} // namespace

bool glob_match(std::string_view pattern, std::string_view text)
{
    if (pattern.empty())
        return true;
    std::size_t p = 0, t = 0;
    // the last star in the pattern, and the text position at which matching resumes if the star matches one more
    // character
    std::size_t star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (const auto next = p < pattern.size() ? match_one(pattern, p, text[t]) : 0) {
            p = next;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void append_utf8(std::string& to, uint32_t character)
{
    if (character < 0x80) {
        to += static_cast<char>(character);
    } else if (character < 0x800) {
        to += static_cast<char>(0xc0 | character >> 6);
        to += static_cast<char>(0x80 | (character & 0x3f));
    } else if (character < 0x10000) {
        to += static_cast<char>(0xe0 | character >> 12);
        to += static_cast<char>(0x80 | (character >> 6 & 0x3f));
        to += static_cast<char>(0x80 | (character & 0x3f));
    } else {
        to += static_cast<char>(0xf0 | (character >> 18 & 7));
        to += static_cast<char>(0x80 | (character >> 12 & 0x3f));
        to += static_cast<char>(0x80 | (character >> 6 & 0x3f));
        to += static_cast<char>(0x80 | (character & 0x3f));
    }
}

// Checks first the length and the continuation bytes of a UTF-8 sequence, then overlong forms and invalid code points.

std::size_t utf8_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    // Rejects overlong forms, surrogates, and code points beyond U+10FFFF.
    const bool is_wrong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
                          (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f);
    return is_wrong ? 0 : length;
}

namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 4 / 3 + 4);
    uint32_t bits = 0;
    unsigned have = 0;
    for (const char each : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(each);
        for (have += 8; have >= 6; have -= 6)
            text += kBase64Digits[(bits >> (have - 6)) & 63];
    }
    if (have > 0)
        text += kBase64Digits[(bits << (6 - have)) & 63];
    return text;
}

std::optional<std::string> from_base64(std::string_view text)
{
    static const auto kValues = [] {
        std::array<int8_t, 256> values{};
        values.fill(-1);
        for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
            values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<int8_t>(i);
        return values;
    }();
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    uint32_t bits = 0;
    unsigned have = 0;
    for (const char each : text) {
        const int8_t value = kValues[static_cast<unsigned char>(each)];
        if (value < 0)
            return std::nullopt;
        bits = (bits << 6) | static_cast<uint32_t>(value);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes += static_cast<char>((bits >> have) & 255);
        }
    }
    return bytes;
}

} // namespace dt
