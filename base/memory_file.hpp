// A file that exists only as long as we hold it: what libelf and libbpf's linker want to write to and read from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace dt {

class MemoryFile {
public:
    /// memfd_create(2), or an unlinked temporary file where that is refused. `path()` names it through /proc; where
    /// /proc is missing the file is a private temporary one and is removed with the object.
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
