// Metric samples as io.prometheus.client protocol buffers, the only format in which Prometheus reads native histograms.
// Values in these messages are doubles, as in Prometheus itself, so integers above 2^53 are rounded.
//
// This file also prints decimal numbers without rounding, for the text formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/metrics/metric_series.hpp"

namespace dt::output {

/// Appends the time series of one aggregation as messages, as MetricSeries::append() does for text.
void append_messages(MetricPage& page, const MetricSeries& series, std::string_view common, bool writes_created);

/// Appends one sample of a counter or gauge. Labels have the form that append_metric_label() writes.
void append_number_message(MetricFamily& family, std::string_view labels, std::string_view more, double number,
                           uint64_t created = 0);

/// Returns a metric family in delimited form: the length of the message, the description, and the samples.
std::string delimited_family(std::string_view name, MetricFamily::Kind kind, std::string_view unit,
                             std::string_view help, std::string_view messages);

// Prints metric values as decimal numbers without rounding: integers of up to 192 bits, scaled by a power of ten when
// the metric reports another unit.

/// Appends the number divided by 10^decimals, without trailing zeros in the fraction.
void append_metric_number(format::Text& out, int64_t number, unsigned decimals = 0);
void append_metric_unsigned(format::Text& out, uint64_t number, unsigned decimals = 0);
/// Appends a number that consists of several 64-bit parts, lowest first. If `is_signed`, the highest part contains the
/// sign.
void append_metric_wide(format::Text& out, std::span<const int64_t> parts, bool is_signed, unsigned decimals = 0);
/// Returns the double nearest to a number that consists of several 64-bit parts.
double metric_double(std::span<const int64_t> parts, bool is_signed);
/// Appends a bucket bound, always with a fraction: "7.0".
void append_metric_bound(format::Text& out, int64_t bound, unsigned decimals);
/// Appends a time, which is given in ns, in seconds.
void append_metric_time(format::Text& out, uint64_t ns);

} // namespace dt::output
