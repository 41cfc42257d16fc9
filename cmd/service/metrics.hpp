// The metrics endpoint of a service (dtrace-service(7), METRICS): the aggregations of all its scripts.
#pragma once

#include "cmd/service/request.hpp"
#include "cmd/service/service.hpp"

namespace dt::service {

/// Handles GET /metrics in the client's preferred format; rejects everything else.
Reply answer_metrics(Service& service, const Request& request);

} // namespace dt::service
