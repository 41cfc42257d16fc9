// Base64, to pass bytes through text-only channels.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Encodes as in RFC 4648 without padding; the receiver must know the length.
std::string to_base64(std::string_view bytes);
/// Decodes text without padding. Returns nothing if it contains other characters.
std::optional<std::string> from_base64(std::string_view text);

} // namespace dt
