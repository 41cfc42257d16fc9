// Uses a memfd, or a temporary file if the memfd's name below /proc/self/fd cannot be opened.
#include "base/memory_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace dt {
namespace {

Error failure(const char* what)
{
    const int code = errno;
    return {std::string(what) + ": " + std::strerror(code), code};
}

} // namespace

Result<MemoryFile> MemoryFile::make(const char* name)
{
    MemoryFile file;
    file.fd_ = memfd_create(name, MFD_CLOEXEC);
    if (file.fd_ >= 0) {
        file.path_ = "/proc/self/fd/" + std::to_string(file.fd_);
        if (access(file.path_.c_str(), R_OK | W_OK) == 0)
            return file;
        close(file.fd_);
    }
    const char* directory = std::getenv("TMPDIR");
    file.path_ = std::string(directory && *directory ? directory : "/tmp") + "/dtrace-XXXXXX";
    file.fd_ = mkostemp(file.path_.data(), O_CLOEXEC);
    if (file.fd_ < 0)
        return failure("cannot make a temporary file");
    file.on_disk_ = true;
    return file;
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), on_disk_(std::exchange(other.on_disk_, false))
{
}

MemoryFile::~MemoryFile()
{
    if (on_disk_)
        unlink(path_.c_str());
    if (fd_ >= 0)
        close(fd_);
}

Result<void> MemoryFile::write(std::span<const uint8_t> bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failure("cannot write an object file");
        done += static_cast<std::size_t>(n);
    }
    return {};
}

Result<std::vector<uint8_t>> MemoryFile::read() const
{
    struct stat info {};
    if (fstat(fd_, &info) != 0)
        return failure("cannot read an object file");
    std::vector<uint8_t> bytes(static_cast<std::size_t>(info.st_size));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failure("cannot read an object file");
        done += static_cast<std::size_t>(n);
    }
    return bytes;
}

} // namespace dt
