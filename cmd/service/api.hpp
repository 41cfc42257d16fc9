// Requests to a service and their responses (dtrace-service(7), REQUESTS, METRICS): JSON, version 1 of the paths, and
// the metrics of all scripts.
#pragma once

#include <string>

#include "cmd/service/request.hpp"
#include "cmd/service/service.hpp"

namespace dt::service {

/// Executes a request. Invalid or forbidden requests get an error response with the reason.
Reply answer(Service& service, const Request& request);

// Access control of the service's requests, in one place.
//
// The mode of the socket determines who can connect: root and the socket's group. These users can see the traces and
// their results, so the group has no members by default. Changing a trace means running code in the kernel as root, so
// only root and the service's own user may do it.

/// Returns an empty string if the request is allowed; else the reason, and which users may send it.
std::string why_refused(const Request& request);

/// Handles GET /metrics in the client's preferred format; rejects everything else.
Reply answer_metrics(Service& service, const Request& request);

} // namespace dt::service
