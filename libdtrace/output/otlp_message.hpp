// What the messages of OpenTelemetry have in common, whatever is told in them: attributes, and whose they are.
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

/// Names and values of what all is of that is told: the machine, the labels of the trace.
using OtlpResource = std::vector<std::pair<std::string, std::string>>;

/// What is no UTF-8 becomes U+FFFD.
void add_otlp_attribute(protozero::pbf_writer& to, uint32_t field, std::string_view name, std::string_view text);
void add_otlp_attribute(protozero::pbf_writer& to, uint32_t field, std::string_view name, int64_t number);
void add_otlp_text(protozero::pbf_writer& to, uint32_t field, std::string_view text);

/// A request whose items are metrics or records: requests for both have the same numbers. `items`: fields of a scope.
constexpr uint32_t kOtlpItems = 2;
std::string otlp_request(const OtlpResource& resource, std::string_view items);

/// What a collector answers where it takes a part only: how many points or records it did not take, and why. Zero: it
/// took all.
std::pair<int64_t, std::string> otlp_rejected(std::string_view answer);

} // namespace dt::output
