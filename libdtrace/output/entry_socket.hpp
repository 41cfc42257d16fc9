// Entries of a log, each a datagram to a socket of this machine (unix(7)): how programs write to systemd's journal.
//
// Who reads may be slow, may end, and may come back under the same name. So a send never waits, an entry that is larger
// than a datagram may be goes as a sealed file in memory, and where nobody listens any more each send looks whether
// somebody does again.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::output {

class EntrySocket {
public:
    /// `path`: of a file, or @NAME for the abstract one (unix(7)). The error's message is the reason alone.
    static Result<EntrySocket> connect(const std::string& path);
    EntrySocket(EntrySocket&& other) noexcept;
    EntrySocket& operator=(EntrySocket&&) = delete;
    ~EntrySocket();

    enum class Outcome { Sent, NoRoom, Refused };
    /// At once. Refused is for good, with its reason in errno; after NoRoom poll(2) tells when to try again.
    Outcome send(std::string_view entry);

    int descriptor() const { return descriptor_; }
    const std::string& path() const { return path_; }

private:
    explicit EntrySocket(std::string path) : path_(std::move(path)) {}
    int join();

    std::string path_;
    int descriptor_ = -1;
};

} // namespace dt::output
