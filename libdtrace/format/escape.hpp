// C escapes, as %S and %C print them (reference 1.7).
#pragma once

#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// NUL is \0; the usual letters, quote and backslash; anything else outside blank..~ is three octal digits.
void append_escaped(Text& out, std::string_view text);

} // namespace dt::format
