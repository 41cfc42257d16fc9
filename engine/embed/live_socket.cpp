// Sends and receives requests and answers with their file descriptors over a Unix socket.
#include "engine/embed/live_socket.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace dt::embed {
namespace {

// Size in bytes of the pieces in which received data are allocated. The size in the header is not trusted, so memory
// grows only as bytes arrive.
constexpr std::size_t kPiece = 1 << 20;

/// Receives bytes, and a descriptor if one was sent together with the first byte.
bool receive(int connection, std::span<uint8_t> to, int* descriptor)
{
    while (!to.empty()) {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 4)];
        iovec piece{to.data(), to.size()};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t got = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
            if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
                continue;
            for (std::size_t at = 0; at + sizeof(int) <= part->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
                int received = -1;
                std::memcpy(&received, CMSG_DATA(part) + at, sizeof received);
                if (descriptor && *descriptor < 0)
                    *descriptor = received;
                else
                    close(received);
            }
        }
        to = to.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

bool receive_payload(int connection, std::size_t size, std::vector<uint8_t>& payload)
{
    while (payload.size() < size) {
        const std::size_t before = payload.size();
        payload.resize(std::min(before + kPiece, size));
        if (!receive(connection, std::span(payload).subspan(before), nullptr))
            return false;
    }
    return true;
}

bool send_all(int connection, std::span<const uint8_t> bytes, int descriptor)
{
    while (!bytes.empty()) {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        iovec piece{const_cast<uint8_t*>(bytes.data()), bytes.size()};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        if (descriptor >= 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr* const part = CMSG_FIRSTHDR(&message);
            part->cmsg_level = SOL_SOCKET;
            part->cmsg_type = SCM_RIGHTS;
            part->cmsg_len = CMSG_LEN(sizeof descriptor);
            std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
        }
        const ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        descriptor = -1;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

} // namespace

std::pair<sockaddr_un, socklen_t> live_address(int process)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const int size =
        std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%d", wire::kSocketName, process);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(size))};
}

/// Calls getpid() once, and again after a fork, because the call takes as long as a firing.
int current_process()
{
    static std::atomic<int> number = 0;
    static const int follows = pthread_atfork(nullptr, nullptr, [] { number = getpid(); });
    if (number == 0 || follows != 0)
        number = getpid();
    return number;
}

LiveMessage::LiveMessage(LiveMessage&& other) noexcept
    : payload(std::move(other.payload)), descriptor(std::exchange(other.descriptor, -1))
{
}

LiveMessage::~LiveMessage()
{
    if (descriptor >= 0)
        close(descriptor);
}

std::optional<LiveRequest> receive_request(int connection)
{
    LiveRequest request;
    wire::Request head;
    if (!receive(connection, {reinterpret_cast<uint8_t*>(&head), sizeof head}, &request.descriptor) ||
        head.size > wire::kMaxRequest || !receive_payload(connection, head.size, request.payload))
        return std::nullopt;
    request.ask = head.ask;
    return request;
}

std::optional<LiveAnswer> receive_answer(int connection)
{
    LiveAnswer answer;
    wire::Answer head;
    if (!receive(connection, {reinterpret_cast<uint8_t*>(&head), sizeof head}, &answer.descriptor) ||
        head.size > wire::kMaxAnswer || !receive_payload(connection, head.size, answer.payload))
        return std::nullopt;
    answer.failed = head.failed != 0;
    return answer;
}

bool send_request(int connection, wire::Ask ask, std::span<const uint8_t> payload, int descriptor)
{
    const wire::Request head{ask, static_cast<uint32_t>(payload.size())};
    return send_all(connection, {reinterpret_cast<const uint8_t*>(&head), sizeof head}, descriptor) &&
           send_all(connection, payload, -1);
}

bool send_answer(int connection, uint32_t failed, std::span<const uint8_t> payload, int descriptor)
{
    const wire::Answer head{failed, static_cast<uint32_t>(payload.size())};
    return send_all(connection, {reinterpret_cast<const uint8_t*>(&head), sizeof head}, descriptor) &&
           send_all(connection, payload, -1);
}

} // namespace dt::embed
