// Requests to a service and their responses (dtrace-service(7), REQUESTS): JSON, version 1 of the paths.
#pragma once

#include "cmd/service/request.hpp"
#include "cmd/service/service.hpp"

namespace dt::service {

/// Executes a request. Invalid or forbidden requests get an error response with the reason.
Reply answer(Service& service, const Request& request);

} // namespace dt::service
