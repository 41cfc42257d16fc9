// Splits long lists, because a message carries at most 253 descriptors (SCM_MAX_FD).
#include "base/passed_descriptors.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dt {
namespace {

constexpr std::size_t kMostPassed = 253;

/// A message of one byte with room for descriptors.
struct PassedMessage {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(kMostPassed * sizeof(int))] = {};
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

/// Returns false if no descriptor arrived.
bool receive_some(int socket, std::vector<int>& descriptors)
{
    PassedMessage passed(kMostPassed);
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
        const std::size_t count = std::min(descriptors.size(), kMostPassed);
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
