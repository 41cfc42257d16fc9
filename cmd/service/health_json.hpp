// State and cost of scripts as JSON (dtrace-service(7), REQUESTS).
#pragma once

#include <string>

#include "cmd/service/member.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::service {

/// Returns the state of a script as a JSON object.
std::string health_json(const Health& health);

/// Returns the state of a pin as a JSON object; `script` is its owner in this service, or empty.
std::string pin_json(const PinState& pin, const std::string& script);

/// Returns a JSON object with the cost of a trace so far, by probe and clause, and its memory limits; also contains
/// both as text.
std::string bill_json(const std::string& name, const Trace& trace);

} // namespace dt::service
