// Text as the kernel and its files write it: lines.
#pragma once

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

} // namespace dt
