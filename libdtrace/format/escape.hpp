// C escapes, as %S and %C print them (dtrace-output(7), FORMATS).
#pragma once

#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// NUL is \0; the usual letters, quote and backslash; anything else outside blank..~ is three octal digits.
void append_escaped(Text& out, std::string_view text);

/// Appends one character as C writes it, quotes included: 'a', '\'', '\n', '\373'.
void append_character_literal(Text& out, char c);

/// Would a terminal do something else than show it? Control characters, bytes that are no UTF-8, and what turns the
/// direction of writing around.
bool has_controls(std::string_view text);

/// The text with those made visible: \n and its like, else three octal digits a byte. All else as it is.
void append_visible(Text& out, std::string_view text);

} // namespace dt::format
