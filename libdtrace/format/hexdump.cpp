// Prints rows of bytes in hexadecimal with their characters.
#include "libdtrace/format/hexdump.hpp"

#include <algorithm>

namespace dt::format {

namespace {

constexpr std::size_t kPerLine = 16;
constexpr std::string_view kHeading =
    "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";

bool is_printable(uint8_t c)
{
    return c >= ' ' && c <= '~';
}

} // namespace

void append_hexdump(Text& out, std::span<const uint8_t> bytes)
{
    if (bytes.empty())
        return;
    constexpr char digits[] = "0123456789abcdef";
    out.append(kHeading);
    for (std::size_t at = 0; at < bytes.size(); at += kPerLine) {
        const auto line = bytes.subspan(at, std::min(kPerLine, bytes.size() - at));
        out.fill(' ', 5);
        append_hex(out, at, 5);
        out.append(':');
        for (const uint8_t byte : line) {
            const char text[] = {' ', digits[byte >> 4], digits[byte & 15]};
            out.append({text, sizeof text});
        }
        out.fill(' ', 3 * (kPerLine - line.size()) + 2);
        for (const uint8_t byte : line)
            out.append(is_printable(byte) ? static_cast<char>(byte) : '.');
        out.append('\n');
    }
}

bool looks_like_text(std::span<const uint8_t> bytes)
{
    const auto end = std::find(bytes.begin(), bytes.end(), 0);
    if (end == bytes.begin())
        return false;
    const auto is_text = [](uint8_t c) {
        return is_printable(c) || (c >= '\t' && c <= '\r') || c == '\b' || c == '\a';
    };
    return std::all_of(bytes.begin(), end, is_text) && std::all_of(end, bytes.end(), [](uint8_t c) { return c == 0; });
}

} // namespace dt::format
