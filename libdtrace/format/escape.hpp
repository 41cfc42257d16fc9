// C escape sequences, as printed by %S and %C (dtrace-output(7), FORMATS).
#pragma once

#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Appends the text with NUL as \0, C's letter escapes, and an escaped quote and backslash. Other bytes outside of
/// blank..~ become three octal digits.
void append_escaped(Text& out, std::string_view text);

/// Appends a character as a C literal, quotes included: 'a', '\'', '\n', '\373'.
void append_character_literal(Text& out, char c);

/// Returns whether a terminal would not show the text as it is: control characters, invalid UTF-8, and characters that
/// change the writing direction.
bool has_controls(std::string_view text);

/// Appends the text with those characters made visible: \n and similar, else three octal digits per byte.
void append_visible(Text& out, std::string_view text);

} // namespace dt::format
