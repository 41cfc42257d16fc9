// Parts that OpenTelemetry messages for metrics and for logs share: attributes and the resource that they describe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace protozero {
template <typename TBuffer> class basic_pbf_writer;
using pbf_writer = basic_pbf_writer<std::string>;
} // namespace protozero

namespace dt::output {

/// Names and values that describe the source of all data: the machine and the labels of the trace.
using OtlpResource = std::vector<std::pair<std::string, std::string>>;

/// Adds an attribute. Invalid UTF-8 becomes U+FFFD.
void add_otlp_attribute(protozero::pbf_writer& to, uint32_t field, std::string_view name, std::string_view text);
void add_otlp_attribute(protozero::pbf_writer& to, uint32_t field, std::string_view name, int64_t number);
void add_otlp_text(protozero::pbf_writer& to, uint32_t field, std::string_view text);

/// Returns a request with metrics or log records; both have the same field numbers. `items` are encoded fields of a
/// scope.
constexpr uint32_t kOtlpItems = 2;
std::string otlp_request(const OtlpResource& resource, std::string_view items);

/// Decodes a collector's answer: the number of points or records that it rejected (0: none), and the reason.
std::pair<int64_t, std::string> otlp_rejected(std::string_view answer);

} // namespace dt::output
