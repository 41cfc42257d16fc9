// Client of a datagram socket that accepts log entries, such as the socket of systemd's journal (unix(7)).
//
// The reader may be slow or exit, and another reader may then use its name. So a send never blocks, and it reconnects
// if the reader has exited. An entry that is too large for a datagram is sent as a sealed memory file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::output {

class JournalSocket {
public:
    /// Connects to `path`: a file, or @NAME for an abstract socket (unix(7)). The error message is only the reason
    /// (strerror).
    static Result<JournalSocket> connect(const std::string& path);
    JournalSocket(JournalSocket&& other) noexcept;
    JournalSocket& operator=(JournalSocket&&) = delete;
    ~JournalSocket();

    enum class Outcome { Sent, NoRoom, Refused };
    /// Sends an entry without blocking. Result Refused: the socket rejects this entry for good, and errno contains the
    /// reason. Result NoRoom: poll(2) reports when another attempt may succeed.
    Outcome send(std::string_view entry);

    int descriptor() const { return descriptor_; }
    const std::string& path() const { return path_; }

private:
    explicit JournalSocket(std::string path) : path_(std::move(path)) {}
    int join();

    std::string path_;
    int descriptor_ = -1;
};

} // namespace dt::output
