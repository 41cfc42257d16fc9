// Floating-point numbers of traced programs, decoded from their bytes. D only copies them, so only the consumer decodes
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Returns the number stored as a `_Float16`, float, double or long double (12 bytes in a 32-bit program). Returns
/// nothing for other sizes.
std::optional<long double> load_floating(std::span<const uint8_t> bytes);

/// Appends the shortest text that identifies the number among all of its type.
void append_floating(Text& out, std::span<const uint8_t> bytes);

} // namespace dt::format
