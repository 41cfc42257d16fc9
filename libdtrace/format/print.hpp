// print(): an object as its type describes it (dtrace-actions(7), print).
#pragma once

#include <cstdint>
#include <span>

#include "dcompiler/sema/types.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::format {

/// The pointer, " = *", and the object of `type` whose first bytes are `bytes`, one line a member. Bytes beyond `bytes`
/// were not recorded: what lies there prints as "...". `escape`: control characters are made visible.
void append_printed(Text& out, uint64_t pointer, const Type* type, std::span<const uint8_t> bytes, bool escape = false);

} // namespace dt::format
