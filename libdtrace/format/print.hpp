// Output of print(): an object formatted according to its type (dtrace-actions(7), print).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dcompiler/sema/types.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Appends the pointer, if given, and " = *", then the object of `type` with one line per member. `bytes` holds its
/// beginning; members beyond it were not recorded and print as "...". Character literals are escaped as in C, so that
/// each line is valid UTF-8. `escape` makes control characters of strings visible.
void append_printed(Text& out, std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes,
                    bool escape = false);

} // namespace dt::format
