// Functions on text that the standard library lacks: shell globs for names, validation of UTF-8, lines, numbers with
// separators, and base64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Returns whether `text` matches the glob, which consists of `*`, `?`, `[set]`, `[!set]`, `\` and other characters. An
/// empty pattern matches anything.
bool glob_match(std::string_view pattern, std::string_view text);

/// Returns the length of the well-formed UTF-8 sequence at the start of `text`, or 0 if it is not well-formed (Unicode,
/// table 3-7). `text` must not be empty.
std::size_t utf8_length(std::string_view text);

/// Appends a code point, at most U+10FFFF, in UTF-8.
void append_utf8(std::string& to, uint32_t character);

/// Calls `handle` with each line of `text`, without its newline. Non-empty text after the last newline is a line too.
template <typename Handle> void for_each_line(std::string_view text, Handle handle)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        handle(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// Formats a number with separators: 1299 becomes "1,299".
inline std::string grouped(uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;)
        text.insert(at -= 3, ",");
    return text;
}

/// Encodes as in RFC 4648 without padding; the receiver must know the length of the data.
std::string to_base64(std::string_view bytes);
/// Decodes base64 text without padding. Returns nothing if the text contains other characters.
std::optional<std::string> from_base64(std::string_view text);

} // namespace dt
