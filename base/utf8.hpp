// Validation of UTF-8 in arbitrary bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace dt {

/// Returns the length of the well-formed UTF-8 sequence at the start of `text`, or 0 if it is not well-formed (Unicode,
/// table 3-7). `text` must not be empty.
std::size_t utf8_length(std::string_view text);

} // namespace dt
