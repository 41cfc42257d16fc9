// What a service tells a system of metrics (dtrace-service(7), METRICS): the aggregations of all its scripts.
#pragma once

#include "cmd/service/request.hpp"
#include "cmd/service/service.hpp"

namespace dt::service {

/// GET /metrics, in the format that is preferred, and nothing else.
Reply answer_metrics(Service& service, const Request& request);

} // namespace dt::service
