// Transport of requests and answers (live_wire.hpp), and the socket's address.
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

/// Returns the abstract address of a process's socket and its length.
std::pair<sockaddr_un, socklen_t> live_address(int process);

/// Returns the pid from a cache, which is renewed in a forked child.
int current_process();

/// A message with the descriptor that came with it, or -1. Closes the descriptor.
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

// receive_* return nothing if the peer has gone or exceeds a limit. send_* pass `descriptor` along unless it is -1, and
// return false if sending fails.

std::optional<LiveRequest> receive_request(int connection);
bool send_answer(int connection, uint32_t failed, std::span<const uint8_t> payload, int descriptor);

bool send_request(int connection, wire::Ask ask, std::span<const uint8_t> payload, int descriptor);
std::optional<LiveAnswer> receive_answer(int connection);

} // namespace dt::embed
