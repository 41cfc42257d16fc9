// What is a character and what is not, in bytes of anybody's.
#pragma once

#include <cstddef>
#include <string_view>

namespace dt {

/// The bytes of the well-formed UTF-8 sequence that `text`, which is not empty, begins with, 0 if there is none
/// (Unicode, table 3-7).
std::size_t utf8_length(std::string_view text);

} // namespace dt
