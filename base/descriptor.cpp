// Implements memory files and the passing of descriptors. A memory file is a memfd, or a temporary file if the memfd's
// name below /proc/self/fd cannot be opened.
#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

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

// Passes descriptors. Long lists are split, because a message carries at most 253 descriptors (SCM_MAX_FD).

namespace {

constexpr std::size_t kMaxPassed = 253;

/// Message for sendmsg(2) and recvmsg(2): one byte of data, and a control buffer with room for descriptors.
struct PassedMessage {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(kMaxPassed * sizeof(int))] = {};
    msghdr message{};

    explicit PassedMessage(std::size_t count)
    {
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = space;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    }
};

bool send_some(int socket, std::span<const int> descriptors)
{
    PassedMessage passed(descriptors.size());
    cmsghdr* const header = CMSG_FIRSTHDR(&passed.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    ssize_t sent = 0;
    while ((sent = sendmsg(socket, &passed.message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EINTR) {
    }
    return sent == 1;
}

/// Receives a message and appends its descriptors. Returns false if no descriptor arrived.
bool receive_some(int socket, std::vector<int>& descriptors)
{
    PassedMessage passed(kMaxPassed);
    ssize_t got = 0;
    while ((got = recvmsg(socket, &passed.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0 && errno == EINTR) {
    }
    if (got <= 0)
        return false;
    const std::size_t before = descriptors.size();
    for (cmsghdr* part = CMSG_FIRSTHDR(&passed.message); part; part = CMSG_NXTHDR(&passed.message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        const std::size_t bytes = part->cmsg_len - CMSG_LEN(0), at = descriptors.size();
        descriptors.resize(at + bytes / sizeof(int));
        std::memcpy(descriptors.data() + at, CMSG_DATA(part), bytes);
    }
    return descriptors.size() > before;
}

} // namespace

bool send_descriptors(int socket, std::span<const int> descriptors)
{
    while (!descriptors.empty()) {
        const std::size_t count = std::min(descriptors.size(), kMaxPassed);
        if (!send_some(socket, descriptors.first(count)))
            return false;
        descriptors = descriptors.subspan(count);
    }
    return true;
}

std::vector<int> receive_descriptors(int socket, std::size_t count)
{
    std::vector<int> descriptors;
    while (descriptors.size() < count && receive_some(socket, descriptors)) {
    }
    if (descriptors.size() == count)
        return descriptors;
    for (const int descriptor : descriptors)
        close(descriptor);
    return {};
}

} // namespace dt
