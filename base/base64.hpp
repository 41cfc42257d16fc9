// Bytes as letters that every carrier leaves as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// RFC 4648, without padding: who sends it tells the length.
std::string to_base64(std::string_view bytes);
/// Nothing: there are other characters in it.
std::optional<std::string> from_base64(std::string_view text);

} // namespace dt
