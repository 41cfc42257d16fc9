// Encodes the messages of io/prometheus/client/metrics.proto, with field numbers grouped by message. Also formats
// decimal numbers without rounding.
#include "libdtrace/metrics/metric_messages.hpp"

#include <algorithm>
#include <cmath>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <utility>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/format/print.hpp"
#include "libdtrace/results/aggregation.hpp"

namespace dt::output {
namespace {

using FamilyKind = MetricFamily::Kind;
using MessageWriter = protozero::pbf_writer;

namespace family_field {
constexpr uint32_t kName = 1, kHelp = 2, kType = 3, kMetric = 4, kUnit = 5;
}
namespace sample_message {
constexpr uint32_t kLabel = 1, kGauge = 2, kCounter = 3, kSummary = 4, kHistogram = 7;
constexpr uint32_t kLabelName = 1, kLabelValue = 2, kNumber = 1, kCounterCreated = 3;
constexpr uint32_t kSummaryCount = 1, kSummarySum = 2, kSummaryCreated = 4;
} // namespace sample_message
namespace native_field {
constexpr uint32_t kCount = 1, kSum = 2, kBucket = 3, kSchema = 5, kZeroThreshold = 6, kZeroCount = 7,
                   kNegativeSpan = 9, kNegativeDelta = 10, kPositiveSpan = 12, kPositiveDelta = 13, kCreated = 15;
constexpr uint32_t kCumulative = 1, kUpper = 2;  // field numbers of the message Bucket (classic histograms)
constexpr uint32_t kSpanOffset = 1, kLength = 2; // field numbers of the message BucketSpan
constexpr uint32_t kSeconds = 1, kNanos = 2;     // field numbers of the message Timestamp
// Upper bound of the bucket around 0 (zero_threshold). Client libraries use this value too. It is so small that the
// bucket contains no integer except 0.
constexpr double kZeroEnd = 0x1p-128;
} // namespace native_field

int32_t type_number(FamilyKind kind)
{
    switch (kind) {
    case FamilyKind::Counter:
        return 0;
    case FamilyKind::Gauge:
        return 1;
    case FamilyKind::Summary:
        return 2;
    case FamilyKind::Histogram:
        return 4;
    }
    return 3; // number of the type "untyped" in the messages of Prometheus
}

/// Builds the message for one sample. The destructor adds the message to the metric family.
class SampleMessage {
public:
    SampleMessage(MetricFamily& family, std::string_view labels, std::string_view more) : family_(family)
    {
        for (const std::string_view part : {labels, more})
            for_each_metric_label(part, [this](std::string_view name, std::string_view value) {
                MessageWriter label(writer_, sample_message::kLabel);
                label.add_string(sample_message::kLabelName, name.data(), name.size());
                label.add_string(sample_message::kLabelValue, value.data(), value.size());
            });
    }
    ~SampleMessage()
    {
        std::string field;
        MessageWriter(field).add_message(family_field::kMetric, bytes_);
        family_.add_message(field);
    }
    SampleMessage(const SampleMessage&) = delete;
    SampleMessage& operator=(const SampleMessage&) = delete;

    MessageWriter& writer() { return writer_; }

private:
    MetricFamily& family_;
    std::string bytes_;
    MessageWriter writer_{bytes_};
};

/// Adds the creation time of a time series to the message. Does nothing if `ns` is 0, which means unknown.
void add_created(MessageWriter& to, uint32_t field, uint64_t ns)
{
    constexpr uint64_t kNsOfSecond = 1'000'000'000;
    if (ns == 0)
        return;
    MessageWriter time(to, field);
    time.add_int64(native_field::kSeconds, static_cast<int64_t>(ns / kNsOfSecond));
    time.add_int32(native_field::kNanos, static_cast<int32_t>(ns % kNsOfSecond));
}

/// Converts a number from the D program's unit, such as ns, to the unit of the reported metric, such as seconds.
double reported_number(double number, const Metric& metric)
{
    return number / std::pow(10, metric.decimals);
}

double of_word(int64_t word, bool is_signed)
{
    return is_signed ? static_cast<double>(word) : static_cast<double>(static_cast<uint64_t>(word));
}

/// Encodes the buckets of positive or of negative values, those nearest to 0 first. The encoding consists of spans of
/// non-empty buckets, and of the difference between each bucket's count and the count before it.
void add_native_side(MessageWriter& to, uint32_t span_field, uint32_t delta_field, Aggregation::Words buckets,
                     int direction)
{
    std::vector<int64_t> deltas;
    std::vector<std::pair<int32_t, uint32_t>> spans;
    const auto zero = static_cast<std::ptrdiff_t>(buckets.size() / 2);
    int64_t before = 0;
    std::ptrdiff_t next = 1; // index of the bucket that follows the last span
    for (std::ptrdiff_t n = 1; n <= zero; ++n) {
        const int64_t count = buckets[static_cast<std::size_t>(zero + direction * n)];
        if (count == 0)
            continue;
        // Bucket n of hquantize() ends at base^(n - 1). Prometheus numbers buckets by this exponent, so the bucket's
        // index there is n - 1.
        if (spans.empty())
            spans.emplace_back(static_cast<int32_t>(n - 1), 0);
        else if (n != next)
            spans.emplace_back(static_cast<int32_t>(n - next), 0);
        ++spans.back().second;
        deltas.push_back(count - std::exchange(before, count));
        next = n + 1;
    }
    for (const auto& [offset, length] : spans) {
        MessageWriter span(to, span_field);
        span.add_sint32(native_field::kSpanOffset, offset);
        span.add_uint32(native_field::kLength, length);
    }
    to.add_packed_sint64(delta_field, deltas.begin(), deltas.end());
}

void append_native(MetricFamily& family, const MetricSeries& series, std::string_view labels, uint64_t created,
                   Aggregation::Words words)
{
    const Aggregation::Words buckets = series.shape()->buckets(words);
    uint64_t count = 0;
    for (const int64_t each : buckets)
        count += static_cast<uint64_t>(each);
    SampleMessage sample(family, labels, {});
    MessageWriter histogram(sample.writer(), sample_message::kHistogram);
    histogram.add_uint64(native_field::kCount, count);
    histogram.add_double(native_field::kSum, of_word(words.back(), series.schema().metric.is_signed));
    histogram.add_sint32(native_field::kSchema, static_cast<int32_t>(series.schema().parameters[0]));
    histogram.add_double(native_field::kZeroThreshold, native_field::kZeroEnd);
    histogram.add_uint64(native_field::kZeroCount, static_cast<uint64_t>(buckets[buckets.size() / 2]));
    add_native_side(histogram, native_field::kNegativeSpan, native_field::kNegativeDelta, buckets, -1);
    add_native_side(histogram, native_field::kPositiveSpan, native_field::kPositiveDelta, buckets, 1);
    add_created(histogram, native_field::kCreated, created);
}

void append_classic(MetricFamily& family, const MetricSeries& series, std::string_view labels, uint64_t created,
                    Aggregation::Words words)
{
    SampleMessage sample(family, labels, {});
    MessageWriter histogram(sample.writer(), sample_message::kHistogram);
    const auto bounds = series.reported_bounds();
    uint64_t count = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        count += static_cast<uint64_t>(words[i]);
        if (!bounds[i])
            continue;
        MessageWriter bucket(histogram, native_field::kBucket);
        bucket.add_uint64(native_field::kCumulative, count);
        bucket.add_double(native_field::kUpper,
                          reported_number(static_cast<double>(*bounds[i]), series.schema().metric));
    }
    histogram.add_uint64(native_field::kCount, count);
    add_created(histogram, native_field::kCreated, created);
}

} // namespace

void append_number_message(MetricFamily& family, std::string_view labels, std::string_view more, double number,
                           uint64_t created)
{
    const bool is_counter = family.kind() == FamilyKind::Counter;
    SampleMessage sample(family, labels, more);
    MessageWriter value(sample.writer(), is_counter ? sample_message::kCounter : sample_message::kGauge);
    value.add_double(sample_message::kNumber, number);
    if (is_counter)
        add_created(value, sample_message::kCounterCreated, created);
}

namespace {

/// Appends an avg() or stddev() as a summary: sum and count.
void append_summary(MetricFamily& family, MetricFamily* squares, const MetricSeries& series, std::string_view labels,
                    uint64_t created, Aggregation::Words words)
{
    const Metric& metric = series.schema().metric;
    {
        SampleMessage sample(family, labels, {});
        MessageWriter summary(sample.writer(), sample_message::kSummary);
        summary.add_uint64(sample_message::kSummaryCount, static_cast<uint64_t>(words[0]));
        summary.add_double(sample_message::kSummarySum, reported_number(metric_double(wide_sum(words), true), metric));
        add_created(summary, sample_message::kSummaryCreated, created);
    }
    if (squares)
        append_number_message(
            *squares, labels, {},
            reported_number(reported_number(metric_double(MetricSeries::squares(words), false), metric), metric),
            created);
}

} // namespace

void append_messages(MetricPage& page, const MetricSeries& series, std::string_view common, bool writes_created)
{
    const Metric& metric = series.schema().metric;
    const AggKind function = series.schema().function->kind;
    const std::string other(series.schema().function->name);
    MetricFamily& family = page.family(series.name(), series.kind(), metric.unit, metric.help, other);
    MetricFamily* const squares =
        function == AggKind::Stddev
            ? &page.family(family.name() + "_squares", FamilyKind::Counter, "", "squares of " + metric.help, other)
            : nullptr;
    series.for_each([&](std::string_view own, uint64_t began, Aggregation::Words words) {
        const uint64_t created = writes_created ? began : 0;
        std::string labels(own);
        if (!own.empty() && !common.empty())
            labels += ',';
        labels += common;
        if (series.shape() && series.shape()->has_parts()) {
            for (std::size_t i = 0; i < words.size(); ++i) {
                format::Text part;
                append_metric_label(part, "part", series.shape()->label(i));
                append_number_message(family, labels, part.view(), reported_number(of_word(words[i], false), metric),
                                      created);
            }
        } else if (function == AggKind::Hquantize) {
            append_native(family, series, labels, created, words);
        } else if (series.shape()) {
            append_classic(family, series, labels, created, words);
        } else if (family.kind() == FamilyKind::Summary) {
            append_summary(family, squares, series, labels, created, words);
        } else {
            const double number = is_sum(function)             ? of_word(words[0], metric.is_signed)
                                  : function == AggKind::Count ? of_word(words[0], false)
                                                               : of_word(series.gauge(words), true);
            append_number_message(family, labels, {},
                                  function == AggKind::Count ? number : reported_number(number, metric), created);
        }
    });
}

std::string delimited_family(std::string_view name, MetricFamily::Kind kind, std::string_view unit,
                             std::string_view help, std::string_view messages)
{
    std::string message;
    MessageWriter family(message);
    family.add_string(family_field::kName, name.data(), name.size());
    family.add_string(family_field::kHelp, help.data(), help.size());
    family.add_enum(family_field::kType, type_number(kind));
    message.append(messages);
    if (!unit.empty())
        family.add_string(family_field::kUnit, unit.data(), unit.size());
    std::string delimited;
    protozero::write_varint(std::back_inserter(delimited), message.size());
    return delimited.append(message);
}

namespace {

using format::Text;

constexpr unsigned kDecimalsOfNs = 9;

/// Appends the decimal digits of a magnitude, with a decimal point at the right place.
void append_with_point(Text& out, std::string digits, unsigned decimals, bool is_bound)
{
    if (digits.size() <= decimals)
        digits.insert(0, decimals + 1 - digits.size(), '0');
    const std::size_t whole = digits.size() - decimals;
    std::string_view fraction = std::string_view(digits).substr(whole);
    while (!fraction.empty() && fraction.back() == '0')
        fraction.remove_suffix(1);
    out.append(std::string_view(digits).substr(0, whole));
    if (!fraction.empty() || is_bound)
        out.append('.');
    out.append(fraction.empty() && is_bound ? std::string_view("0") : fraction);
}

uint64_t magnitude_of(int64_t number)
{
    return number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

} // namespace

void append_metric_number(Text& out, int64_t number, unsigned decimals)
{
    if (decimals == 0)
        return format::append_signed(out, number);
    if (number < 0)
        out.append('-');
    append_with_point(out, std::to_string(magnitude_of(number)), decimals, false);
}

void append_metric_unsigned(Text& out, uint64_t number, unsigned decimals)
{
    if (decimals == 0)
        return format::append_unsigned(out, number);
    append_with_point(out, std::to_string(number), decimals, false);
}

void append_metric_bound(Text& out, int64_t bound, unsigned decimals)
{
    if (bound < 0)
        out.append('-');
    append_with_point(out, std::to_string(magnitude_of(bound)), decimals, true);
}

void append_metric_wide(Text& out, std::span<const int64_t> parts, bool is_signed, unsigned decimals)
{
    std::vector<uint64_t> rest(parts.begin(), parts.end());
    if (is_signed && parts.back() < 0) {
        out.append('-');
        uint64_t carry = 1;
        for (uint64_t& part : rest) {
            part = ~part + carry;
            carry = carry != 0 && part == 0 ? 1 : 0;
        }
    }
    // A wide number is divided repeatedly by this power of ten. Each remainder fits into 64 bits and yields the next
    // kDigits decimal digits.
    constexpr uint64_t kStep = 1'000'000'000'000'000'000;
    constexpr std::size_t kDigits = 18;
    std::string digits;
    while (std::any_of(rest.begin(), rest.end(), [](uint64_t part) { return part != 0; })) {
        unsigned __int128 remainder = 0;
        for (std::size_t i = rest.size(); i-- > 0;) {
            remainder = remainder << 64 | rest[i];
            rest[i] = static_cast<uint64_t>(remainder / kStep);
            remainder %= kStep;
        }
        const std::string part = std::to_string(static_cast<uint64_t>(remainder));
        digits.insert(0, std::string(kDigits - part.size(), '0') + part);
    }
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
    digits.erase(0, first);
    append_with_point(out, digits.empty() ? "0" : digits, decimals, false);
}

double metric_double(std::span<const int64_t> parts, bool is_signed)
{
    double sum =
        is_signed ? static_cast<double>(parts.back()) : static_cast<double>(static_cast<uint64_t>(parts.back()));
    for (std::size_t i = parts.size() - 1; i-- > 0;)
        sum = std::ldexp(sum, 64) + static_cast<double>(static_cast<uint64_t>(parts[i]));
    return sum;
}

void append_metric_time(Text& out, uint64_t ns)
{
    append_metric_unsigned(out, ns, kDecimalsOfNs);
}

} // namespace dt::output
