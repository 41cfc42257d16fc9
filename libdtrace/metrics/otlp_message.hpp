// All aggregations as one OpenTelemetry message: an encoded ExportMetricsServiceRequest.
//
// Its integers have 64 bits, so D's counts stay exact. Times keep the program's own unit, because fractional seconds
// would need a double.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libdtrace/output/metric_series.hpp"
#include "libdtrace/output/otlp_message.hpp"
#include "libdtrace/output/totals.hpp"

namespace dt::output {

class OtlpPage {
public:
    /// Adds a metric with values as of `now` (CLOCK_REALTIME ns).
    void add(const MetricSeries& series, uint64_t now);
    /// Adds the trace's totals, counted since `began`.
    void add(const Totals& totals, uint64_t began, uint64_t now);
    std::string encoded(const OtlpResource& resource) const;

private:
    enum class Form : uint8_t { Gauge, Sum, Counter, Histogram, Exponential }; ///< Sum: may decrease
    struct Metric {
        Form form;
        std::string unit, help;
        std::string points; ///< encoded data_points fields, which have number 1 in every form
    };
    /// One label in addition to those of the series.
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
