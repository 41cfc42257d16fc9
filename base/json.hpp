// Writer of JSON text (RFC 8259), for all output of the project. Invalid UTF-8 becomes U+FFFD, so that strings of
// traced programs cannot break readers.
//
// The output is a std::string, or the buffer of an output sink: any class with append(std::string_view).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dt {

/// Removes a prefix from `text` and returns the JSON form of the prefix. The prefix is either a run of characters that
/// need no escape, or one character that needs an escape, which is stored in `room`. `text` must not be empty.
std::string_view take_json(std::string_view& text, char (&room)[6]);

/// Appends a quoted string.
template <typename Out> void append_json_string(Out& out, std::string_view text)
{
    char room[6];
    out.append(std::string_view("\""));
    while (!text.empty())
        out.append(take_json(text, room));
    out.append(std::string_view("\""));
}

/// Appends bytes as a quoted string of hexadecimal digits.
template <typename Out> void append_json_hex(Out& out, std::span<const uint8_t> bytes)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    char* at = out.room(bytes.size() * 2 + 2);
    *at++ = '"';
    for (const uint8_t byte : bytes) {
        *at++ = kDigits[byte >> 4];
        *at++ = kDigits[byte & 15];
    }
    *at = '"';
    out.advance(bytes.size() * 2 + 2);
}

/// Appends `,"name":`, without the comma for the first member of an object.
template <typename Out> void append_json_name(Out& out, std::string_view name)
{
    if (!out.empty() && out.view().back() != '{')
        out.append(std::string_view(","));
    append_json_string(out, name);
    out.append(std::string_view(":"));
}

} // namespace dt
