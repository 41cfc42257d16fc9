// What a service answers to each request (dtrace-service(7), REQUESTS): JSON, in version 1 of its paths.
#pragma once

#include "cmd/service/request.hpp"
#include "cmd/service/service.hpp"

namespace dt::service {

/// Whatever is asked, there is an answer; what may not be asked, or not so, is one with its reason.
Reply answer(Service& service, const Request& request);

} // namespace dt::service
