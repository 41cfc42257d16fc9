// The control socket: HTTP on a socket of this machine (unix(7)), answered by the loop between two passes.
//
// Whoever asks must not be able to hold what traces, or to take memory without end: bodies, connections, their time and
// the rate of requests are bounded, and nothing here waits for a client.
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

    /// Listens at `path`, as listen.hpp has it. `host` calls it from its loop. The error is the reason alone.
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
