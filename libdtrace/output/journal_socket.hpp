// Client of a datagram socket that takes log entries, as systemd's journal does (unix(7)).
//
// The reader may be slow, may exit, and may return under the same name. So a send never waits, and it connects again if
// the reader is gone. An entry that is too large for a datagram is sent as a sealed memory file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::output {

class JournalSocket {
public:
    /// Connects to `path`: a file, or @NAME for an abstract socket (unix(7)). The error message holds the reason only.
    static Result<JournalSocket> connect(const std::string& path);
    JournalSocket(JournalSocket&& other) noexcept;
    JournalSocket& operator=(JournalSocket&&) = delete;
    ~JournalSocket();

    enum class Outcome { Sent, NoRoom, Refused };
    /// Sends an entry without waiting. Refused is final, with the reason in errno. After NoRoom, poll(2) reports when a
    /// new attempt makes sense.
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
