// Value syntaxes of options: numbers, sizes, times, and words in any case (dtrace(8), RUN-TIME OPTIONS).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt {

/// Returns whether the texts are equal apart from upper and lower case.
bool equal_fold(std::string_view a, std::string_view b);

/// Parses a whole text as a number: hexadecimal after 0x, octal after 0, else decimal. Returns nothing if it is
/// malformed or too large.
std::optional<uint64_t> parse_number(std::string_view text);

/// Parse sizes ("4m" is 4194304) and times ("100ms" is 100000000). Return nothing if malformed or too large.
std::optional<uint64_t> parse_size(std::string_view text);
std::optional<uint64_t> parse_time(std::string_view text);

} // namespace dt
