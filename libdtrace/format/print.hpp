// print(): an object as its type describes it (dtrace-actions(7), print).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dcompiler/sema/types.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::format {

/// Appends the pointer, if there is one, " = *", and the object of `type` whose first bytes are `bytes`, one line a
/// member. Bytes beyond `bytes` were not recorded: a member there prints as "...". Characters of arrays and members are
/// written as in C, so that each line is valid UTF-8. `escape`: control characters of strings are made visible.
void append_printed(Text& out, std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes,
                    bool escape = false);

} // namespace dt::format
