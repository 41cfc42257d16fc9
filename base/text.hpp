// Lines of text, as in kernel files, and numbers for human readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dt {

/// Calls `handle` with each line of `text`, without its newline. Non-empty text after the last newline is a line too.
template <typename Handle> void for_each_line(std::string_view text, Handle handle)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        handle(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// Formats a number with separators: 1299 becomes "1,299".
inline std::string grouped(uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;)
        text.insert(at -= 3, ",");
    return text;
}

} // namespace dt
