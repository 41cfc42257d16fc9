// The control socket of the service: HTTP on a Unix socket (unix(7)). The event loop handles requests between two
// passes (readings of the traces' buffers).
//
// Clients must not block tracing or exhaust memory. So the sizes of bodies, the number and duration of connections, and
// the rate of requests are limited, and the server never waits for a client.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "cmd/service/request.hpp"
#include "libdtrace/loop/event_loop.hpp"

namespace dt::service {

class Control {
public:
    static constexpr std::size_t kMaxBody = 1 << 20; ///< maximum size of a request's body in bytes
    static constexpr unsigned kMaxConnections = 64, kMaxStreams = 32, kTimeout = 10 /* seconds */,
                              kMaxRequests = 100 /* requests per second and user */;

    /// Listens at `path` (see listen_at() below) and registers the socket with the event loop `host`. An error message
    /// contains only the reason.
    static Result<std::unique_ptr<Control>> open(const std::string& path, EventLoop& host, Answer answer);
    ~Control();
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

private:
    struct Impl;
    explicit Control(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Listening sockets of the service.

/// Returns a listening descriptor. If `place` contains a /, it is the path of a Unix socket, which root and the group
/// "dtrace" (if that exists) may use. A `place` without a / is a numeric address with a port. `waiting` is the backlog
/// (listen(2)). The error message contains only the reason, not the path or address.
Result<int> listen_at(const std::string& place, unsigned waiting);

} // namespace dt::service
