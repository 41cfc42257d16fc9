// Who may ask a service for what: decided here and nowhere else.
//
// The mode of the socket says who may ask at all: root, and the group of it. They see what traces, and what it has
// found, which is why the group is nobody's by default. To change what traces is to run code in the kernel as root, so
// that is root's, or that of the user the service itself runs as.
#pragma once

#include <string>

#include "cmd/service/request.hpp"

namespace dt::service {

/// Empty: it may. Else why it may not, and who may.
std::string why_refused(const Request& request);

} // namespace dt::service
