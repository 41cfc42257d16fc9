// Requests to a service and their responses, independent of the transport.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

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
