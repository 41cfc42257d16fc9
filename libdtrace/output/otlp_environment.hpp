// OpenTelemetry settings from outside of the command line: credentials, which other users must not see there, and
// resource attributes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/output/otlp_message.hpp"

namespace dt::output {

/// Parses "name=value,name=value" with URL-escaped values (%2C is a comma), the list format of OpenTelemetry's
/// environment variables.
OtlpResource otlp_pairs(std::string_view list);

/// Returns HTTP header lines "Name: value" from OTEL_EXPORTER_OTLP_HEADERS and from the file (none if empty). Fails
/// with a complete error if the file cannot be read or a line is not a header. Errors never contain header values.
Result<std::vector<std::string>> otlp_headers(const std::string& file);

/// Returns the attributes of the tracer's host and cgroup, and those of OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME.
OtlpResource otlp_surroundings();

} // namespace dt::output
