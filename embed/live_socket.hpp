// Requests and answers on a socket (live_wire.hpp), and where it is.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "embed/live_wire.hpp"

namespace dt::embed {

/// The abstract address of a process' socket, and its length.
std::pair<sockaddr_un, socklen_t> live_address(int process);

/// This process' number, for nothing: a child's is another one.
int current_process();

/// With the descriptor that came along, or -1; closed with this.
struct LiveMessage {
    LiveMessage() = default;
    LiveMessage(LiveMessage&& other) noexcept;
    LiveMessage& operator=(LiveMessage&&) = delete;
    ~LiveMessage();

    std::vector<uint8_t> payload;
    int descriptor = -1;
};

struct LiveRequest : LiveMessage {
    wire::Ask ask{};
};

struct LiveAnswer : LiveMessage {
    bool failed = false;
};

// Nothing: the other side has gone, or says more than anybody may. With a descriptor, unless it is -1. False: nobody
// takes it.

std::optional<LiveRequest> receive_request(int connection);
bool send_answer(int connection, uint32_t failed, std::span<const uint8_t> payload, int descriptor);

bool send_request(int connection, wire::Ask ask, std::span<const uint8_t> payload, int descriptor);
std::optional<LiveAnswer> receive_answer(int connection);

} // namespace dt::embed
