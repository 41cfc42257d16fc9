#include "base/base64.hpp"

#include <array>
#include <cstdint>

namespace dt {
namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 4 / 3 + 4);
    uint32_t bits = 0;
    unsigned have = 0;
    for (const char each : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(each);
        for (have += 8; have >= 6; have -= 6)
            text += kBase64Digits[(bits >> (have - 6)) & 63];
    }
    if (have > 0)
        text += kBase64Digits[(bits << (6 - have)) & 63];
    return text;
}

std::optional<std::string> from_base64(std::string_view text)
{
    static const auto kValues = [] {
        std::array<int8_t, 256> values{};
        values.fill(-1);
        for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
            values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<int8_t>(i);
        return values;
    }();
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    uint32_t bits = 0;
    unsigned have = 0;
    for (const char each : text) {
        const int8_t value = kValues[static_cast<unsigned char>(each)];
        if (value < 0)
            return std::nullopt;
        bits = (bits << 6) | static_cast<uint32_t>(value);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes += static_cast<char>((bits >> have) & 255);
        }
    }
    return bytes;
}

} // namespace dt
