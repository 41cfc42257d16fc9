// Sends datagrams with sendmsg(2). Large entries go into a memfd with seals, so that the reader can map it safely.
#include "libdtrace/output/journal_socket.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace dt::output {

namespace {

bool fill_file(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

/// Sends an empty message to which the descriptor `file` is attached.
bool send_descriptor(int descriptor, int file)
{
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
    msghdr message{};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    return ::sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

bool send_as_file(int descriptor, std::string_view entry)
{
    const int file = ::memfd_create("journal entry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return false;
    const bool sent = fill_file(file, entry) &&
                      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0 &&
                      send_descriptor(descriptor, file);
    const int code = errno;
    ::close(file);
    errno = code;
    return sent;
}

/// Sends one entry. Returns false with errno set on failure.
bool send_once(int descriptor, std::string_view entry)
{
    if (::send(descriptor, entry.data(), entry.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
        return true;
    const bool is_too_large = errno == EMSGSIZE || errno == ENOBUFS;
    return is_too_large && send_as_file(descriptor, entry);
}

bool has_lost_reader(int code)
{
    return code == ECONNREFUSED || code == ENOTCONN || code == ECONNRESET || code == EPIPE;
}

} // namespace

Result<JournalSocket> JournalSocket::connect(const std::string& path)
{
    JournalSocket made(path);
    made.descriptor_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int code = made.descriptor_ < 0 ? errno : made.join();
    if (code != 0)
        return Error{std::strerror(code), code};
    return made;
}

JournalSocket::JournalSocket(JournalSocket&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1))
{
}

JournalSocket::~JournalSocket()
{
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

/// Connects to the socket that is now at `path_`. Returns 0 or an errno.
int JournalSocket::join()
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path_.size() >= sizeof address.sun_path)
        return ENAMETOOLONG;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    socklen_t size = sizeof address;
    if (path_.starts_with('@')) { // the name of an abstract socket is not a path and has no final NUL
        address.sun_path[0] = 0;
        size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path_.size());
    }
    return ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), size) == 0 ? 0 : errno;
}

JournalSocket::Outcome JournalSocket::send(std::string_view entry)
{
    bool sent = send_once(descriptor_, entry);
    if (!sent && has_lost_reader(errno)) {
        errno = join();
        sent = errno == 0 && send_once(descriptor_, entry);
    }
    if (sent)
        return Outcome::Sent;
    return errno == EAGAIN || errno == EINTR ? Outcome::NoRoom : Outcome::Refused;
}

} // namespace dt::output
