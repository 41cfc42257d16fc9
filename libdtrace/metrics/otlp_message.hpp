// Messages to an OpenTelemetry collector: logs, metrics, and the attributes and the resource that logs and metrics
// share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace/results/drop_report.hpp"

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

// Field number of the list of metrics or log records. It is the same in requests for metrics and for logs.
constexpr uint32_t kOtlpItems = 2;
/// Returns a request that sends `items`, the encoded metrics or log records.
std::string otlp_request(const OtlpResource& resource, std::string_view items);

/// Decodes a collector's answer. Returns the number of points or records that the collector rejected (0: none), and the
/// reason.
std::pair<int64_t, std::string> otlp_rejected(std::string_view answer);

// Encodes records as OpenTelemetry logs: the contents of an ExportLogsServiceRequest.

/// Severity numbers of logs.proto.
enum class OtlpSeverity : uint8_t { Info = 9, Warning = 13 };

/// A log record under construction.
class OtlpLogRecord {
public:
    void add(std::string_view name, std::string_view text);
    void add(std::string_view name, int64_t number);
    /// The text of the record. If it is empty, the record has only attributes.
    std::string body;

private:
    friend class OtlpLogs;
    std::string attributes_; ///< attributes of the record as encoded fields
};

class OtlpLogs {
public:
    /// Adds a record; `time` is ns of CLOCK_REALTIME.
    void add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record);

    uint64_t size() const { return records_; }
    std::size_t bytes() const { return items_.size(); }
    /// Returns all records as a request, and removes the records.
    std::string take(const OtlpResource& resource);

private:
    std::string items_;
    uint64_t records_ = 0;
};

// Encodes all aggregations as one OpenTelemetry message: an ExportMetricsServiceRequest.
//
// OpenTelemetry has 64-bit integers, so D's counts stay exact. Times keep the program's own unit, such as ns, because
// seconds would have fractions and need a double.

class OtlpPage {
public:
    /// Adds an aggregation as a metric with its values at the time `now` (CLOCK_REALTIME ns).
    void add(const MetricSeries& series, uint64_t now);
    /// Adds the totals of the trace, which were counted since the time `began`.
    void add(const Totals& totals, uint64_t began, uint64_t now);
    std::string encoded(const OtlpResource& resource) const;

private:
    /// The form of a metric. Values of a Sum may decrease, values of a Counter may not.
    enum class Form : uint8_t { Gauge, Sum, Counter, Histogram, Exponential };
    struct Metric {
        Form form;
        std::string unit, help;
        /// data points of the metric in encoded form; their field number is 1 in the messages of all forms of metrics
        std::string points;
    };
    /// A label that a sample has in addition to the labels of its time series.
    struct More {
        std::string_view name, value;
    };
    struct Span {
        uint64_t from, to;
    };
    using Number = std::variant<int64_t, double>;
    static Number unsigned_number(int64_t word);
    static Number wide_number(Aggregation::Words parts, bool is_signed);

    Metric& metric(std::string name, Form form, const std::string& unit, const std::string& help,
                   std::string_view other);
    static void add_number(Metric& metric, std::string_view labels, Span span, Number number, More more = {});
    void add_sums(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now);
    void add_parts(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now);
    void add_histogram(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now);
    void add_exponential(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now);

    std::map<std::string, Metric> metrics_;
};

} // namespace dt::output
