// Text as the kernel and its files write it: lines. Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dt {

/// Calls `handle` with each line of `text`, without its newline. What stands behind the last newline is a line, if it
/// is not empty.
template <typename Handle> void for_each_line(std::string_view text, Handle handle)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        handle(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// 1299 as "1,299"
inline std::string grouped(uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;)
        text.insert(at -= 3, ",");
    return text;
}

} // namespace dt
