// A value as programs want it in a cell or field of text: nothing around it, numbers in decimal, no column, no quote.
#pragma once

#include <span>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::output {

/// Frames of a stack are lines, innermost first; bytes that are no text are hexadecimal digits.
void append_plain(format::Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data);

void append_plain_bytes(format::Text& out, std::span<const uint8_t> bytes);

} // namespace dt::output
