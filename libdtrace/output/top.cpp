// Truncates lines, because a line wider than the terminal would wrap and push other lines off the screen.
#include "libdtrace/output/top.hpp"

#include <algorithm>

namespace dt::output {
namespace {

constexpr std::string_view kClear = "\033[H\033[2J"; // moves the cursor home and clears the screen (ECMA-48)

/// Returns this many columns of the line, without splitting a UTF-8 character.
std::string_view cut(std::string_view line, std::size_t columns)
{
    std::size_t end = 0, used = 0;
    for (; end < line.size(); ++end) {
        const bool continues = (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80;
        if (!continues && used++ == columns)
            break;
    }
    return line.substr(0, end);
}

} // namespace

std::string picture(std::string_view text, const Output::Size& screen)
{
    std::string result(kClear);
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    for (unsigned rows = 1; rows < screen.rows && !text.empty(); ++rows) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result.append(cut(text.substr(0, end), screen.columns)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

} // namespace dt::output
