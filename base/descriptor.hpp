// File descriptors that their owner closes, temporary files in memory, and the passing of descriptors between
// processes.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace dt {

class Descriptor {
public:
    /// Takes ownership of the descriptor `number`; a negative number means no descriptor.
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor()
    {
        if (number_ >= 0)
            close(number_);
    }

    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_;
};

/// Temporary files in memory, for libelf and libbpf's linker, which need files.
class MemoryFile {
public:
    /// Creates the file with memfd_create(2). `path()` names the file through /proc. If memfd or /proc is not
    /// available, creates a private temporary file, which the destructor removes.
    static Result<MemoryFile> make(const char* name);
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile();

    int fd() const { return fd_; }
    const std::string& path() const { return path_; }
    Result<void> write(std::span<const uint8_t> bytes);
    Result<std::vector<uint8_t>> read() const;

private:
    MemoryFile() = default;
    int fd_ = -1;
    std::string path_;
    bool on_disk_ = false;
};

// Passing of file descriptors between processes over a Unix socket (unix(7), SCM_RIGHTS).

/// Sends descriptors, which the caller keeps, over a socket that preserves message boundaries. Returns false with errno
/// set on failure; some descriptors may have been sent.
bool send_descriptors(int socket, std::span<const int> descriptors);

/// Receives exactly `count` descriptors from the peer; the caller must close them. They have close-on-exec set. Never
/// blocks. If fewer descriptors have arrived, closes them and returns an empty list.
std::vector<int> receive_descriptors(int socket, std::size_t count);

} // namespace dt
