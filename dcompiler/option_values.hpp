// The value syntaxes of options: numbers, sizes, times, words in any case (dtrace(8), RUN-TIME OPTIONS).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt {

/// The same word but for the case of its letters?
bool equal_fold(std::string_view a, std::string_view b);

/// A number with nothing behind it; 0x: hexadecimal, 0: octal, else decimal. Empty when malformed or too large.
std::optional<uint64_t> parse_number(std::string_view text);

/// "4m" -> 4194304 and "100ms" -> 100000000; empty when malformed or too large.
std::optional<uint64_t> parse_size(std::string_view text);
std::optional<uint64_t> parse_time(std::string_view text);

} // namespace dt
