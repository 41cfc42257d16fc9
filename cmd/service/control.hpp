// The control socket of the service: HTTP on a Unix socket (unix(7)). The event loop handles requests between two
// passes (readings of the traces' buffers).
//
// Clients must not block tracing or exhaust memory. So the sizes of bodies, the number and duration of connections, and
// the rate of requests are limited, and the server never waits for a client.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/output/follower.hpp"

namespace dt::service {

/// The client of a request: user and process, as the kernel reports them for the socket.
struct Peer {
    uid_t user = static_cast<uid_t>(-1);
    pid_t process = 0;
};

struct Request {
    std::string method, path;
    std::map<std::string, std::string> query; ///< query parameters that are in use: name, path, format
    std::string body;
    std::string accept; ///< value of the request's Accept header
    Peer peer;
};

namespace status {
inline constexpr unsigned kOk = 200, kCreated = 201, kBadRequest = 400, kForbidden = 403, kNotFound = 404,
                          kNotAllowed = 405, kConflict = 409, kTooLarge = 413, kUnprocessable = 422, kTooMany = 429;
} // namespace status

struct Reply {
    unsigned status = status::kOk;
    std::string body; ///< body of the response; its type is JSON unless content_type is set
    /// if set: source of an endless body, which is sent instead of `body`
    std::shared_ptr<output::Follower> follower{};
    std::string content_type = "application/json";
    std::shared_ptr<output::MetricPage> page{}; ///< if set: a page of metrics, which is sent instead of `body`
};

using Answer = std::function<Reply(const Request&)>;

} // namespace dt::service

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
