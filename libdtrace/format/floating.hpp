// Floating-point numbers of traced programs, by their bytes. D copies them and cannot compute with them, so only the
// consumer reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// The number of a `_Float16`, float, double or long double (12 bytes in a 32-bit program). Nothing: no such type has
/// that size.
std::optional<long double> load_floating(std::span<const uint8_t> bytes);

/// The shortest text that means this number and no other of its type.
void append_floating(Text& out, std::span<const uint8_t> bytes);

} // namespace dt::format
