// Temporary files in memory, for libelf and libbpf's linker, which need files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace dt {

class MemoryFile {
public:
    /// Creates the file with memfd_create(2). `path()` names it through /proc. If either is not available, creates a
    /// private temporary file, which the destructor removes.
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

} // namespace dt
