// Encodes messages of common.proto, resource.proto, logs.proto, metrics.proto and of the collector services. The
// constants are their field numbers, grouped by message.
#include "libdtrace/metrics/otlp_message.hpp"

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "base/text.hpp"
#include "libdtrace/metrics/metric_messages.hpp"
#include "libdtrace/results/aggregation.hpp"

namespace dt::output {
namespace {

using OtlpWriter = protozero::pbf_writer;

namespace request_field {
constexpr uint32_t kOfResource = 1, kResource = 1, kOfScope = 2, kAttributes = 1, kScope = 1, kScopeName = 1;
}
namespace attribute_field {
constexpr uint32_t kKey = 1, kValue = 2, kString = 1, kInteger = 3;
}
namespace answer_field {
constexpr uint32_t kPartialSuccess = 1, kRejected = 1, kMessage = 2;
}

std::string as_utf8(std::string_view text)
{
    std::string valid;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        valid.append(length == 0 ? "\xef\xbf\xbd" : text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
}

} // namespace

void add_otlp_text(OtlpWriter& to, uint32_t field, std::string_view text)
{
    OtlpWriter value(to, field);
    value.add_string(attribute_field::kString, as_utf8(text));
}

void add_otlp_attribute(OtlpWriter& to, uint32_t field, std::string_view name, std::string_view text)
{
    OtlpWriter attribute(to, field);
    attribute.add_string(attribute_field::kKey, name.data(), name.size());
    add_otlp_text(attribute, attribute_field::kValue, text);
}

void add_otlp_attribute(OtlpWriter& to, uint32_t field, std::string_view name, int64_t number)
{
    OtlpWriter attribute(to, field);
    attribute.add_string(attribute_field::kKey, name.data(), name.size());
    OtlpWriter value(attribute, attribute_field::kValue);
    value.add_int64(attribute_field::kInteger, number);
}

std::string otlp_request(const OtlpResource& resource, std::string_view items)
{
    std::string bytes;
    OtlpWriter request(bytes);
    OtlpWriter of_resource(request, request_field::kOfResource);
    {
        OtlpWriter described(of_resource, request_field::kResource);
        for (const auto& [name, value] : resource)
            add_otlp_attribute(described, request_field::kAttributes, name, value);
    }
    {
        std::string scope;
        OtlpWriter(scope).add_string(request_field::kScopeName, "dtrace");
        std::string of_scope;
        OtlpWriter(of_scope).add_message(request_field::kScope, scope);
        of_scope.append(items);
        of_resource.add_message(request_field::kOfScope, of_scope);
    }
    of_resource.commit();
    return bytes;
}

std::pair<int64_t, std::string> otlp_rejected(std::string_view answer)
{
    std::pair<int64_t, std::string> rejected{0, {}};
    try {
        protozero::pbf_reader message(answer.data(), answer.size());
        while (message.next(answer_field::kPartialSuccess)) {
            protozero::pbf_reader part = message.get_message();
            while (part.next())
                if (part.tag() == answer_field::kRejected)
                    rejected.first = part.get_int64();
                else if (part.tag() == answer_field::kMessage)
                    rejected.second = part.get_string();
                else
                    part.skip();
        }
    } catch (const protozero::exception&) { // an invalid message contains no information about rejected data
    }
    return rejected;
}

// Encodes messages of logs.proto; the constants are its field numbers.

namespace {

using LogWriter = protozero::pbf_writer;

namespace log_field {
constexpr uint32_t kTime = 1, kSeverity = 2, kSeverityText = 3, kBody = 5, kAttributes = 6;
}

} // namespace

void OtlpLogRecord::add(std::string_view name, std::string_view text)
{
    LogWriter to(attributes_);
    add_otlp_attribute(to, log_field::kAttributes, name, text);
}

void OtlpLogRecord::add(std::string_view name, int64_t number)
{
    LogWriter to(attributes_);
    add_otlp_attribute(to, log_field::kAttributes, name, number);
}

void OtlpLogs::add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record)
{
    std::string message;
    LogWriter log(message);
    log.add_fixed64(log_field::kTime, time);
    log.add_enum(log_field::kSeverity, static_cast<int32_t>(severity));
    log.add_string(log_field::kSeverityText, severity == OtlpSeverity::Info ? "INFO" : "WARN");
    if (!record.body.empty())
        add_otlp_text(log, log_field::kBody, record.body);
    message.append(record.attributes_);
    LogWriter(items_).add_message(kOtlpItems, message);
    ++records_;
}

std::string OtlpLogs::take(const OtlpResource& resource)
{
    records_ = 0;
    return otlp_request(resource, std::exchange(items_, {}));
}

// Encodes messages of metrics.proto; the constants are its field numbers, grouped by message.

namespace {

using OtlpWriter = protozero::pbf_writer;

namespace metric_field {
constexpr uint32_t kName = 1, kDescription = 2, kUnit = 3, kGauge = 5, kSum = 7, kHistogram = 9, kExponential = 10;
// field numbers of Gauge, Sum and Histogram messages
constexpr uint32_t kDataPoints = 1, kTemporality = 2, kIsMonotonic = 3;
constexpr int32_t kCumulative = 2;
} // namespace metric_field
namespace point_field {
constexpr uint32_t kStart = 2, kTime = 3, kDouble = 4, kInteger = 6, kAttributes = 7;
}
namespace histogram_field {
constexpr uint32_t kStart = 2, kTime = 3, kCount = 4, kBucketCounts = 6, kBounds = 7, kAttributes = 9;
}
namespace exponential_field {
constexpr uint32_t kAttributes = 1, kStart = 2, kTime = 3, kCount = 4, kSum = 5, kScale = 6, kZeroCount = 7,
                   kPositive = 8, kNegative = 9;
// field numbers of the message Buckets, which contains the buckets on one side of 0
constexpr uint32_t kOffset = 1, kBucketCounts = 2;
} // namespace exponential_field

void add_labels(OtlpWriter& to, uint32_t field, std::string_view labels)
{
    for_each_metric_label(
        labels, [&](std::string_view name, std::string_view value) { add_otlp_attribute(to, field, name, value); });
}

/// Returns the name and the UCUM unit of a metric. If the name ends in a unit, that ending is removed. Values keep the
/// program's unit here, for example ns, and are not converted to seconds.
std::pair<std::string, std::string> name_and_unit(const MetricSeries& series)
{
    constexpr std::string_view kSeconds = "_seconds";
    const dt::Metric& metric = series.schema().metric;
    std::string name = series.name();
    if (metric.decimals == 0)
        return {name, metric.unit == "bytes" ? "By" : metric.unit == "seconds" ? "s" : metric.unit};
    if (name.ends_with(kSeconds))
        name.resize(name.size() - kSeconds.size());
    return {name, metric.decimals == 9 ? "ns" : metric.decimals == 6 ? "us" : "ms"};
}

} // namespace

OtlpPage::Number OtlpPage::unsigned_number(int64_t word)
{
    return word < 0 ? Number(static_cast<double>(static_cast<uint64_t>(word))) : Number(word);
}

/// Converts a wide number to an integer if it fits into 64 bits, otherwise to a double.
OtlpPage::Number OtlpPage::wide_number(Aggregation::Words parts, bool is_signed)
{
    // A wide number fits into its lowest 64 bits if each higher part has this value.
    const int64_t rest = is_signed && parts[0] < 0 ? -1 : 0;
    bool fits = is_signed || parts[0] >= 0;
    for (const int64_t part : parts.subspan(1))
        fits &= part == rest;
    if (fits)
        return parts[0];
    return metric_double(parts, is_signed);
}

/// Returns the metric `name`, and creates it if needed. If a metric of another form or unit already has this name,
/// returns the metric with `other` appended to the name.
OtlpPage::Metric& OtlpPage::metric(std::string name, Form form, const std::string& unit, const std::string& help,
                                   std::string_view other)
{
    auto found = metrics_.find(name);
    while (found != metrics_.end() && (found->second.form != form || found->second.unit != unit)) {
        name.append("_").append(other);
        found = metrics_.find(name);
    }
    return found != metrics_.end() ? found->second
                                   : metrics_.try_emplace(name, Metric{form, unit, help, {}}).first->second;
}

void OtlpPage::add_number(Metric& metric, std::string_view labels, Span span, Number number, More more)
{
    OtlpWriter data(metric.points);
    OtlpWriter point(data, metric_field::kDataPoints);
    if (metric.form != Form::Gauge)
        point.add_fixed64(point_field::kStart, span.from);
    point.add_fixed64(point_field::kTime, span.to);
    if (const int64_t* const integer = std::get_if<int64_t>(&number))
        point.add_sfixed64(point_field::kInteger, *integer);
    else
        point.add_double(point_field::kDouble, std::get<double>(number));
    add_labels(point, point_field::kAttributes, labels);
    if (!more.name.empty())
        add_otlp_attribute(point, point_field::kAttributes, more.name, more.value);
}

void OtlpPage::add(const MetricSeries& series, uint64_t now)
{
    using Kind = MetricFamily::Kind;
    const auto [name, unit] = name_and_unit(series);
    const std::string_view function = series.schema().function->name;
    const std::string& help = series.schema().metric.help;
    if (series.shape() && series.shape()->has_parts())
        return add_parts(series, name, unit, now);
    if (series.schema().function->kind == AggKind::Hquantize)
        return add_exponential(series, name, unit, now);
    if (series.shape())
        return add_histogram(series, name, unit, now);
    if (series.kind() == Kind::Summary)
        return add_sums(series, name, unit, now);
    const bool is_counter = series.kind() == Kind::Counter;
    const bool is_signed = series.schema().metric.is_signed;
    const bool counts = series.schema().function->kind == AggKind::Count;
    Metric& target = metric(name, is_counter ? Form::Counter : Form::Gauge, counts ? "" : unit, help, function);
    series.for_each([&](std::string_view labels, uint64_t created, Aggregation::Words words) {
        const Number number = !is_counter           ? Number(series.gauge(words))
                              : counts || is_signed ? Number(words[0])
                                                    : unsigned_number(words[0]);
        add_number(target, labels, {created, now}, number);
    });
}

/// Adds avg() or stddev() as separate sums. An OpenTelemetry Summary is not used, because its sum is a double.
void OtlpPage::add_sums(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now)
{
    const std::string& help = series.schema().metric.help;
    const std::string_view function = series.schema().function->name;
    const bool is_signed = series.schema().metric.is_signed;
    Metric& sum = metric(name + "_sum", is_signed ? Form::Sum : Form::Counter, unit, "sum of " + help, function);
    Metric& count = metric(name + "_count", Form::Counter, "", "number of " + help, function);
    Metric* const squares = series.schema().function->kind == AggKind::Stddev
                                ? &metric(name + "_squares", Form::Counter, "", "squares of " + help, function)
                                : nullptr;
    series.for_each([&](std::string_view labels, uint64_t created, Aggregation::Words words) {
        add_number(sum, labels, {created, now}, wide_number(wide_sum(words), true));
        add_number(count, labels, {created, now}, words[0]);
        if (squares)
            add_number(*squares, labels, {created, now}, wide_number(MetricSeries::squares(words), false));
    });
}

/// Adds breakdown() as counters of time, one for each part.
void OtlpPage::add_parts(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now)
{
    Metric& target = metric(name, Form::Counter, unit, series.schema().metric.help, series.schema().function->name);
    series.for_each([&](std::string_view labels, uint64_t created, Aggregation::Words words) {
        for (std::size_t i = 0; i < words.size(); ++i)
            add_number(target, labels, {created, now}, unsigned_number(words[i]), {"part", series.shape()->label(i)});
    });
}

/// Adds a histogram. The histogram has no sum, because D's histograms do not contain the sum of their values. A bucket
/// counts the values above the bound of the previous bucket and up to its own bound. Bounds above 2^53 are rounded to
/// doubles; counts are exact.
void OtlpPage::add_histogram(const MetricSeries& series, const std::string& name, const std::string& unit, uint64_t now)
{
    Metric& target = metric(name, Form::Histogram, unit, series.schema().metric.help, series.schema().function->name);
    std::vector<double> bounds;
    std::vector<bool> ends; // for each bucket of D: whether its end is also the end of a reported bucket
    for (const std::optional<int64_t> high : series.reported_bounds()) {
        const bool is_more = high && (bounds.empty() || static_cast<double>(*high) > bounds.back());
        if (is_more)
            bounds.push_back(static_cast<double>(*high));
        ends.push_back(is_more);
    }
    std::vector<uint64_t> counts;
    series.for_each([&](std::string_view labels, uint64_t created, Aggregation::Words words) {
        counts.assign(1, 0);
        uint64_t all = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            counts.back() += static_cast<uint64_t>(words[i]);
            all += static_cast<uint64_t>(words[i]);
            if (ends[i])
                counts.push_back(0);
        }
        OtlpWriter data(target.points);
        OtlpWriter point(data, metric_field::kDataPoints);
        point.add_fixed64(histogram_field::kStart, created);
        point.add_fixed64(histogram_field::kTime, now);
        point.add_fixed64(histogram_field::kCount, all);
        point.add_packed_fixed<uint64_t>(histogram_field::kBucketCounts, counts.begin(), counts.end());
        point.add_packed_fixed<double>(histogram_field::kBounds, bounds.begin(), bounds.end());
        add_labels(point, histogram_field::kAttributes, labels);
    });
}

namespace {

/// Encodes the buckets of positive or of negative values, from the first to the last non-empty one. The bucket that
/// ends at 1 has index -1.
void add_exponential_side(OtlpWriter& to, uint32_t field, Aggregation::Words buckets, int direction)
{
    const auto zero = static_cast<std::ptrdiff_t>(buckets.size() / 2);
    std::vector<uint64_t> counts;
    for (std::ptrdiff_t n = 1; n <= zero; ++n)
        counts.push_back(static_cast<uint64_t>(buckets[static_cast<std::size_t>(zero + direction * n)]));
    const auto is_used = [](uint64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(counts, is_used);
    if (first == counts.end())
        return;
    const auto last = std::find_if(counts.rbegin(), counts.rend(), is_used).base();
    OtlpWriter side(to, field);
    side.add_sint32(exponential_field::kOffset, static_cast<int32_t>(first - counts.begin()) - 1);
    side.add_packed_uint64(exponential_field::kBucketCounts, first, last);
}

} // namespace

/// Adds hquantize(), whose buckets OpenTelemetry can represent exactly.
void OtlpPage::add_exponential(const MetricSeries& series, const std::string& name, const std::string& unit,
                               uint64_t now)
{
    Metric& target = metric(name, Form::Exponential, unit, series.schema().metric.help, series.schema().function->name);
    series.for_each([&](std::string_view labels, uint64_t created, Aggregation::Words words) {
        const Aggregation::Words buckets = series.shape()->buckets(words);
        uint64_t count = 0;
        for (const int64_t each : buckets)
            count += static_cast<uint64_t>(each);
        OtlpWriter data(target.points);
        OtlpWriter point(data, metric_field::kDataPoints);
        point.add_fixed64(exponential_field::kStart, created);
        point.add_fixed64(exponential_field::kTime, now);
        point.add_fixed64(exponential_field::kCount, count);
        if (!series.schema().metric.is_signed) // OpenTelemetry requires that the sum of a histogram does not decrease
            point.add_double(exponential_field::kSum, static_cast<double>(static_cast<uint64_t>(words.back())));
        point.add_sint32(exponential_field::kScale, static_cast<int32_t>(series.schema().parameters[0]));
        point.add_fixed64(exponential_field::kZeroCount, static_cast<uint64_t>(buckets[buckets.size() / 2]));
        add_exponential_side(point, exponential_field::kPositive, buckets, 1);
        add_exponential_side(point, exponential_field::kNegative, buckets, -1);
        add_labels(point, exponential_field::kAttributes, labels);
    });
}

void OtlpPage::add(const Totals& totals, uint64_t began, uint64_t now)
{
    Metric& lost = metric("dtrace_lost", Form::Counter, "", "Firings and records that were lost, by cause", "other");
    for (const DropRow& row : totals.losses)
        if (row.kind == LossKind::Lost && (row.countable || row.count != 0))
            add_number(lost, {}, {began, now}, unsigned_number(static_cast<int64_t>(row.count)), {"cause", row.cause});
    Metric& weight =
        metric("dtrace_weight", Form::Gauge, "", "Mean number of firings that each traced firing represents", "other");
    add_number(weight, {}, {began, now}, totals.weight.value_or(1));
}

std::string OtlpPage::encoded(const OtlpResource& resource) const
{
    std::string items;
    for (const auto& [name, each] : metrics_) {
        if (each.points.empty())
            continue;
        std::string data = each.points;
        OtlpWriter more(data);
        if (each.form != Form::Gauge)
            more.add_enum(metric_field::kTemporality, metric_field::kCumulative);
        if (each.form == Form::Counter)
            more.add_bool(metric_field::kIsMonotonic, true);
        OtlpWriter all(items);
        OtlpWriter target(all, kOtlpItems);
        target.add_string(metric_field::kName, name);
        target.add_string(metric_field::kDescription, each.help);
        target.add_string(metric_field::kUnit, each.unit);
        target.add_message(each.form == Form::Gauge         ? metric_field::kGauge
                           : each.form == Form::Histogram   ? metric_field::kHistogram
                           : each.form == Form::Exponential ? metric_field::kExponential
                                                            : metric_field::kSum,
                           data);
    }
    return otlp_request(resource, items);
}

} // namespace dt::output
