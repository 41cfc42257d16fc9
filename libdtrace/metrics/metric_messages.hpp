// Metric samples as io.prometheus.client protocol buffers, the only format in which Prometheus reads native histograms.
//
// All numbers are doubles, so integers are exact up to 2^53, as in Prometheus itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/metric_series.hpp"

namespace dt::output {

/// Appends the series of one aggregation, like MetricSeries::append().
void append_messages(MetricPage& page, const MetricSeries& series, std::string_view common, bool tells_created);

/// Appends one sample of a counter or gauge. Labels have the form that append_metric_label() writes.
void append_number_message(MetricFamily& family, std::string_view labels, std::string_view more, double number,
                           uint64_t created = 0);

/// Returns a family in delimited form: its length, its description and its messages.
std::string delimited_family(std::string_view name, MetricFamily::Kind kind, std::string_view unit,
                             std::string_view help, std::string_view messages);

} // namespace dt::output
