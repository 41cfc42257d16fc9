#include "cmd/lsp/channel.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <strings.h>

namespace dt::lsp {

namespace {

constexpr std::size_t kMostHead = 4096; // bytes
constexpr std::string_view kEndOfHead = "\r\n\r\n", kLength = "Content-Length:";

/// Reads the length of the body. Returns false if the header lacks it.
bool read_length(std::string_view head, std::size_t& length)
{
    while (!head.empty()) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(std::min(line.size() + 2, head.size()));
        if (line.size() <= kLength.size() || strncasecmp(line.data(), kLength.data(), kLength.size()) != 0)
            continue;
        const std::string_view number = line.substr(std::min(line.find_first_not_of(' ', kLength.size()), line.size()));
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), length);
        return error == std::errc() && end == number.data() + number.size();
    }
    return false;
}

} // namespace

/// Reads available input. Returns false at the end of the input.
bool Channel::fill()
{
    char bytes[65536];
    ssize_t got = 0;
    do
        got = ::read(in_, bytes, sizeof bytes);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    buffered_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

Channel::Incoming Channel::read()
{
    std::size_t head = 0;
    while ((head = buffered_.find(kEndOfHead)) == std::string::npos) {
        if (buffered_.size() > kMostHead)
            return {Kind::Malformed, "a message's head is too long"};
        if (!fill())
            return {};
    }
    std::size_t length = 0;
    if (!read_length(std::string_view(buffered_).substr(0, head), length) || length > kMostBytes)
        return {Kind::Malformed, "a message's head has no Content-Length of at most 16 MiB"};
    const std::size_t begin = head + kEndOfHead.size();
    while (buffered_.size() - begin < length)
        if (!fill())
            return {};
    Incoming incoming{Kind::Message, buffered_.substr(begin, length)};
    buffered_.erase(0, begin + length);
    return incoming;
}

bool Channel::has_more() const
{
    pollfd waiting{in_, POLLIN, 0};
    return !buffered_.empty() || (poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0);
}

bool Channel::write(std::string_view json)
{
    std::string whole = "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n";
    whole += json;
    for (std::string_view rest = whole; !rest.empty();) {
        const ssize_t written = ::write(out_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace dt::lsp
