// The hex dump of tracemem(), of trace() of arrays and structs, of rawbytes and of keys that are no text
// (dtrace-output(7), VALUES).
#pragma once

#include <cstdint>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// A newline, the heading and one line per 16 bytes, the last with its newline. Nothing at all for no bytes.
void append_hexdump(Text& out, std::span<const uint8_t> bytes);

/// Whether bytes look like text: printable characters, white space, backspace or bell, and after the first NUL only
/// NULs. Empty text does not count.
bool looks_like_text(std::span<const uint8_t> bytes);

} // namespace dt::format
