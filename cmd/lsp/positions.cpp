#include "cmd/lsp/positions.hpp"

#include <algorithm>

namespace dt::lsp {

namespace {

/// Returns the UTF-16 code units of the character that begins with this byte; 0 for continuation bytes.
std::size_t units_of(char byte)
{
    const auto value = static_cast<unsigned char>(byte);
    return value >= 0xf0 ? 2 : (value & 0xc0) == 0x80 ? 0 : 1;
}

} // namespace

Position position_of(std::string_view text, std::size_t offset)
{
    text = text.substr(0, offset);
    Position position;
    position.line = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    for (const char byte : text.substr(text.rfind('\n') + 1)) // npos + 1 is 0
        position.character += units_of(byte);
    return position;
}

std::size_t offset_of(std::string_view text, Position position)
{
    std::size_t at = 0;
    for (; position.line > 0; --position.line) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos)
            return text.size();
        at = end + 1;
    }
    for (std::size_t passed = 0; at < text.size() && text[at] != '\n'; ++at) {
        if (passed >= position.character && units_of(text[at]) != 0)
            break;
        passed += units_of(text[at]);
    }
    return at;
}

} // namespace dt::lsp
