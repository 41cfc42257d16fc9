// JSON text, as far as one line of output needs it (RFC 8259). Bytes that are no UTF-8 become U+FFFD, so that a reader never fails on
// what a traced program put into a string.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// A string with its quotes.
void append_json_string(Text& out, std::string_view text);

/// Bytes as a string of hexadecimal digits, two a byte, with its quotes.
void append_json_hex(Text& out, std::span<const uint8_t> bytes);

/// `,"name":` — or without the comma, when nothing stands before it in its object.
void append_json_name(Text& out, std::string_view name);

} // namespace dt::format
