// The control socket of the service: HTTP on a Unix socket (unix(7)), handled by the event loop between two passes.
//
// Clients must not block tracing or exhaust memory. So bodies, connections, their duration and the request rate are
// limited, and the server never waits for a client.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "cmd/service/request.hpp"
#include "libdtrace/host/host.hpp"

namespace dt::service {

class Control {
public:
    static constexpr std::size_t kMostBody = 1 << 20; ///< bytes
    static constexpr unsigned kMostConnections = 64, kMostStreams = 32, kTimeout = 10 /* s */,
                              kMostRequests = 100 /* a second, of each user */;

    /// Listens at `path` (listen.hpp) and registers with the loop of `host`. The error message is the reason only.
    static Result<std::unique_ptr<Control>> open(const std::string& path, Host& host, Answer answer);
    ~Control();
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

private:
    struct Impl;
    explicit Control(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt::service
