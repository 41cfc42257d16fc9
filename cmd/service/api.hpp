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
// their results; by default, the group has no members. Only root and the service's own user may change a trace, because
// that means running code in the kernel as root.

/// Returns an empty string if the request is allowed; else the reason, and which users may send it.
std::string why_refused(const Request& request);

/// Answers GET /metrics in the format that the client prefers. Rejects other requests.
Reply answer_metrics(Service& service, const Request& request);

} // namespace dt::service
