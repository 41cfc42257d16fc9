// How scripts are doing, and what they cost, as JSON (dtrace-service(7), REQUESTS).
#pragma once

#include <string>

#include "cmd/service/member.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::service {

/// An object.
std::string health_json(const Health& health);

/// Likewise; `script`: of the service, that has it; empty: none.
std::string pin_json(const PinState& pin, const std::string& script);

/// Likewise: what a trace has cost so far, by probe and clause, and what memory it may take; and the same as text.
std::string bill_json(const std::string& name, const Trace& trace);

} // namespace dt::service
