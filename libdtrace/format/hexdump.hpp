// Hex dumps, as printed by tracemem(), by trace() of arrays and structs, by rawbytes, and for keys that are not text
// (dtrace-output(7), VALUES).
#pragma once

#include <cstdint>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Appends a newline, the heading and one line per 16 bytes. Appends nothing if there are no bytes.
void append_hexdump(Text& out, std::span<const uint8_t> bytes);

/// Returns whether the bytes look like text: printable characters, white space, backspace or bell, and only NULs after
/// the first NUL. Empty text does not count.
bool looks_like_text(std::span<const uint8_t> bytes);

} // namespace dt::format
