// Samples as messages of io.prometheus.client, which is what Prometheus reads native histograms in.
//
// Their numbers are doubles: integers are exact up to 2^53 there, as they are in Prometheus itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/metric_series.hpp"

namespace dt::output {

/// The series of one aggregation, as MetricSeries::append() has it.
void append_messages(MetricPage& page, const MetricSeries& series, std::string_view common, bool tells_created);

/// One sample of a counter or a gauge. Labels are as append_metric_label() has them.
void append_number_message(MetricFamily& family, std::string_view labels, std::string_view more, double number,
                           uint64_t created = 0);

/// What is said of a family, its messages behind that, and the length in front.
std::string delimited_family(std::string_view name, MetricFamily::Kind kind, std::string_view unit,
                             std::string_view help, std::string_view messages);

} // namespace dt::output
