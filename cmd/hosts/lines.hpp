// Splits a stream of bytes into lines.
#pragma once

#include <string>
#include <string_view>

namespace dt::cmd {

class Lines {
public:
    /// Calls `handle` for each complete line, without newline. The rest of an overlong line is discarded.
    template <typename Handle> void add(std::string_view bytes, Handle handle)
    {
        for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
            append(bytes.substr(0, end));
            handle(std::string_view(rest_));
            rest_.clear();
            bytes.remove_prefix(end + 1);
        }
        append(bytes);
    }
    /// Handles a last line without newline.
    template <typename Handle> void finish(Handle handle)
    {
        if (!rest_.empty())
            handle(std::string_view(rest_));
        rest_ = {};
    }

private:
    static constexpr std::size_t kLongest = 4 << 20;

    void append(std::string_view bytes) { rest_.append(bytes.substr(0, kLongest - rest_.size())); }

    std::string rest_;
};

} // namespace dt::cmd
