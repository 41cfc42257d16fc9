// What is said of a sender of OpenTelemetry outside of its command line: credentials, which nobody else may see there,
// and what it is a part of.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/output/otlp_message.hpp"

namespace dt::output {

/// "name=value,name=value", values as in URLs (%2C is a comma): as OpenTelemetry has lists in the environment.
OtlpResource otlp_pairs(std::string_view list);

/// Lines "Name: value" as HTTP has them: those of OTEL_EXPORTER_OTLP_HEADERS, and of the file; empty: there is none.
/// Fails, with a complete error, where the file cannot be read or one is no header; what is in it is in no error.
Result<std::vector<std::string>> otlp_headers(const std::string& file);

/// Where the tracer runs, and what OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME say.
OtlpResource otlp_surroundings();

} // namespace dt::output
