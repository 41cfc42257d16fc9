// Values as machine-readable text for cells and fields: decimal numbers without padding or quotes.
#pragma once

#include <span>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::output {

/// Appends a value. Stack frames are separated by newlines, innermost first; bytes that are not text become hexadecimal
/// digits.
void append_plain(format::Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data);

void append_plain_bytes(format::Text& out, std::span<const uint8_t> bytes);

} // namespace dt::output
