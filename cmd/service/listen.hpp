// Where a service is asked.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt::service {

/// A descriptor that listens: at a socket of this machine, if there is a / in `place`, as root and its group "dtrace",
/// where there is one; else at an address of digits with a port. `waiting`: connections that may wait. The error is the
/// reason alone.
Result<int> listen_at(const std::string& place, unsigned waiting);

} // namespace dt::service
