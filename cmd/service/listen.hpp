// Listening sockets of the service.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt::service {

/// Returns a listening descriptor. If `place` contains a /, it is a Unix socket for root and the group "dtrace", if
/// that exists; else a numeric address with a port. `waiting` is the backlog. The error message is the reason only.
Result<int> listen_at(const std::string& place, unsigned waiting);

} // namespace dt::service
