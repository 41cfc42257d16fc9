// The one writer of JSON text (RFC 8259). Bytes that are no UTF-8 become U+FFFD, so that a reader never fails on what a
// traced program put into a string.
//
// What is written to is a std::string or a buffer of a sink's: anything with append(std::string_view).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dt {

/// Takes what can be written at once from the beginning of `text`, which is not empty: as many characters as stand for
/// themselves, or one that does not, escaped, in `room`.
std::string_view take_json(std::string_view& text, char (&room)[6]);

/// A string with its quotes.
template <typename Out> void append_json_string(Out& out, std::string_view text)
{
    char room[6];
    out.append(std::string_view("\""));
    while (!text.empty())
        out.append(take_json(text, room));
    out.append(std::string_view("\""));
}

/// Bytes as a string of hexadecimal digits, two a byte, with its quotes.
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

/// `,"name":` — or without the comma, when nothing stands before it in its object.
template <typename Out> void append_json_name(Out& out, std::string_view name)
{
    if (!out.empty() && out.view().back() != '{')
        out.append(std::string_view(","));
    append_json_string(out, name);
    out.append(std::string_view(":"));
}

} // namespace dt
