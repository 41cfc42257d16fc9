// Access control of the service's requests, in one place.
//
// The mode of the socket determines who can connect: root and the socket's group. They can see the traces and their
// results, so the group has no members by default. Changing a trace means running code in the kernel as root, so only
// root and the service's own user may do it.
#pragma once

#include <string>

#include "cmd/service/request.hpp"

namespace dt::service {

/// Returns an empty string if the request is allowed, else the reason and who may send it.
std::string why_refused(const Request& request);

} // namespace dt::service
