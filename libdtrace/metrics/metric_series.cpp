// Updates the time series of an aggregation, and writes the series to pages. Values are added and subtracted as
// integers, in the words in which the kernel stores them, so the order of additions does not change a result.
#include "libdtrace/metrics/metric_series.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "libdtrace/format/print.hpp"
#include "libdtrace/metrics/metric_messages.hpp"
#include "libdtrace/results/time_series.hpp"

namespace dt::output {
namespace {

using format::Text;
using FamilyKind = MetricFamily::Kind;

constexpr std::size_t kSquaresAt = 3; // index of the sum of squares among the words of a stddev() value

bool is_label(const AggregationSchema& schema, std::size_t key)
{
    const Datum::Kind kind = schema.keys[key].kind;
    return kind != Datum::Kind::Stack && kind != Datum::Kind::UserStack;
}

constexpr std::string_view kPartLabel = "part"; // name of the label for the parts of breakdown()

/// Returns a label name for a part of the key. The name differs from the common labels and from the labels of the key's
/// other parts.
std::string label_name(const AggregationSchema& schema, std::size_t key, const PrintOptions& options)
{
    const auto& labels = schema.metric.labels;
    const bool is_named = key < labels.size() && !labels[key].empty();
    const bool is_part = is_named && schema.function->kind == AggKind::Breakdown && labels[key] == kPartLabel;
    if (is_named && !is_part && !is_common_label(options, labels[key]))
        return labels[key];
    std::string name = "key" + std::to_string(key + 1);
    while (is_common_label(options, name) || std::ranges::find(labels, name) != labels.end())
        name += '_';
    return name;
}

bool is_zero(Aggregation::Words words)
{
    return std::all_of(words.begin(), words.end(), [](int64_t word) { return word == 0; });
}

bool is_gauge(const AggregationSchema& schema)
{
    const AggKind kind = schema.function->kind;
    if (kind == AggKind::Min || kind == AggKind::Max || kind == AggKind::Tseries)
        return true;
    const Metric& metric = schema.metric;
    return kind == AggKind::Sum &&
           (metric.type == Metric::Type::Gauge || (metric.type == Metric::Type::OfFunction && metric.is_signed));
}

FamilyKind family_kind(const AggregationSchema& schema)
{
    switch (schema.function->kind) {
    case AggKind::Count:
    case AggKind::Sum:
    case AggKind::Min:
    case AggKind::Max:
    case AggKind::Tseries:
        return is_gauge(schema) ? FamilyKind::Gauge : FamilyKind::Counter;
    case AggKind::Avg:
    case AggKind::Stddev:
        return FamilyKind::Summary;
    case AggKind::Breakdown:
    case AggKind::Blame:
        return FamilyKind::Counter;
    default:
        return FamilyKind::Histogram;
    }
}

int64_t extreme(AggKind kind, int64_t word)
{
    const auto bits = static_cast<uint64_t>(word);
    return static_cast<int64_t>(kind == AggKind::Min ? static_cast<uint64_t>(INT64_MAX) - bits
                                                     : bits + static_cast<uint64_t>(INT64_MIN));
}

/// Writes the lines with creation times. Stores the text of the last creation time, because many series have equal
/// creation times.
class CreatedLines {
public:
    CreatedLines(MetricFamily& family, std::string_view common, std::string_view more = {})
        : lines_(family, "_created", common, more)
    {
    }

    void append(std::string_view labels, uint64_t created)
    {
        if (created != created_ || text_.empty()) {
            created_ = created;
            text_.clear();
            append_metric_time(text_, created);
            text_.append('\n');
        }
        lines_.begin(labels).append(text_.view());
    }

private:
    MetricLines lines_;
    uint64_t created_ = 0;
    Text text_;
};

void end_line(Text& out, int64_t number)
{
    append_metric_number(out, number);
    out.append('\n');
}

/// Returns whether a bucket of hquantize() ends at a power of two. The bucket is given by its largest integer `high`.
bool ends_octave(int64_t high)
{
    const auto end = high < 0 ? -static_cast<uint64_t>(high) - 1 : static_cast<uint64_t>(high);
    return (end & (end - 1)) == 0;
}

/// Returns the upper bound that is reported for a bucket, if any. Negative bounds are reported only if values may be
/// negative. hquantize() has thousands of bounds. So, if the metric has no range, only the bounds that are powers of
/// two are reported: these are bounds at every resolution of hquantize().
std::optional<int64_t> reported_bound(const format::HistogramShape& shape, std::size_t bucket, const Metric& metric)
{
    const std::optional<int64_t> high = shape.bounds(bucket).high;
    const bool is_known = metric.range
                              ? high && *high >= metric.range->low && *high <= metric.range->high
                              : high && (metric.is_signed || *high >= 0) && (!shape.has_sum() || ends_octave(*high));
    return is_known ? high : std::nullopt;
}

std::string metric_name(const AggregationSchema& schema)
{
    return schema.metric.name.empty() ? "dtrace_" + schema.name : schema.metric.name;
}

} // namespace

MetricSeries::MetricSeries(const AggregationSchema& schema, const format::HistogramShape* shape,
                           const PrintOptions& options, uint64_t now)
    : schema_(schema), shape_(shape ? std::optional(*shape) : std::nullopt), limit_(options.maxseries),
      words_(schema.words), began_(now), looked_(now), total_(words_), emptied_(words_), other_(words_),
      expired_(words_)
{
    for (std::size_t key = 0; key < schema.keys.size(); ++key)
        if (is_label(schema, key))
            labels_.push_back({key, label_name(schema, key, options)});
    has_fixed_labels_ = std::ranges::none_of(labels_, [&](const Label& label) {
        return format::is_address(schema.keys[label.key]) || format::is_recorded_as_number(schema.keys[label.key]);
    });
    other_labels_ = labels_all("other");
    expired_labels_ = labels_all(format::kGoneKey);
    // An aggregation without labels has one series, which exists from the start with the value 0.
    if (is_one() && is_kept() && limit_ != 0)
        admit({}, now);
}

bool MetricSeries::is_kept() const
{
    return !is_gauge(schema_);
}

void MetricSeries::combine(std::span<int64_t> into, Words from) const
{
    combine_words(schema_.function->kind, schema_.parameters, into, from);
}

void MetricSeries::subtract(std::span<int64_t> from, Words amount) const
{
    const AggKind kind = schema_.function->kind;
    if (kind == AggKind::Avg || kind == AggKind::Stddev)
        return subtract_sums(from, amount);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<int64_t>(static_cast<uint64_t>(from[i]) - static_cast<uint64_t>(amount[i]));
}

/// Returns labels in which each key has the value "other" or "gone", for the series that combines several keys.
std::string MetricSeries::labels_all(std::string_view value) const
{
    Text labels;
    for (const Label& label : labels_)
        append_metric_label(labels, label.name, value);
    return std::string(labels.view());
}

std::size_t MetricSeries::admit(std::string labels, uint64_t created)
{
    std::size_t at = series_.size();
    if (!free_.empty()) {
        at = free_.back();
        free_.pop_back();
    } else {
        series_.emplace_back();
        live_.resize(series_.size() * words_);
        base_.resize(series_.size() * words_);
    }
    series_[at] = {&by_labels_.emplace(std::move(labels), at).first->first, created, true, true};
    std::ranges::fill(live(at), 0);
    std::fill_n(base_.begin() + static_cast<std::ptrdiff_t>(at * words_), words_, 0);
    return at;
}

/// Returns the index of an entry's time series. If the series does not exist, returns kNone and stores the entry's
/// labels in scratch_. Most entries have the same key in successive updates. Then the result of the previous update is
/// returned, without computing the labels.
std::size_t MetricSeries::find(const Aggregation& table, uint32_t entry, const format::Environment& env)
{
    const uint8_t* const key = table.key(entry);
    const std::size_t size = schema_.key_size;
    if (entry < known_.size() && known_[entry] != kNone &&
        std::memcmp(known_keys_.data() + entry * size, key, size) == 0)
        return known_[entry];
    scratch_.clear();
    for (const Label& label : labels_) {
        value_.clear();
        append_plain(value_, env, schema_.keys[label.key], key);
        append_metric_label(scratch_, label.name, value_.view());
    }
    const auto found = by_labels_.find(scratch_.view());
    if (found == by_labels_.end())
        return kNone;
    if (has_fixed_labels_ && entry != Aggregation::kExpired) {
        if (entry >= known_.size()) {
            known_.resize(entry + 1, kNone);
            known_keys_.resize(known_.size() * size);
        }
        known_[entry] = found->second;
        std::copy_n(key, size, known_keys_.begin() + static_cast<std::ptrdiff_t>(entry * size));
    }
    return found->second;
}

/// Returns whether a time series with these labels may be created. Labels equal to those of the series "other" and
/// "gone" are refused, because these series combine several keys.
bool MetricSeries::may_admit(std::string_view labels) const
{
    return by_labels_.size() < limit_ && (labels.empty() || (labels != other_labels_ && labels != expired_labels_));
}

void MetricSeries::look_at_entries(const Aggregation& table, const format::Environment& env)
{
    for (uint32_t entry = 0; entry < table.size() + (table.has_expired() ? 1 : 0); ++entry) {
        const bool is_gone = entry == table.size();
        const Words words = table.words(is_gone ? Aggregation::kExpired : entry);
        combine(total_, words);
        if (is_gone && !is_one())
            continue;
        std::size_t at = find(table, is_gone ? Aggregation::kExpired : entry, env);
        if (at == kNone && may_admit(scratch_.view()))
            at = admit(std::string(scratch_.view()), looked_);
        if (at == kNone) {
            has_other_ = true;
            if (!is_kept())
                combine(other_, words);
            continue;
        }
        series_[at].is_seen = true;
        combine(live(at), words);
    }
}

/// Returns whether the key of a series expired and appeared again since the last update(). In that case its value is
/// lower than at the last update().
bool MetricSeries::has_begun_again(Words before, Words now) const
{
    const AggKind kind = schema_.function->kind;
    if (!is_kept() || (kind == AggKind::Sum && schema_.metric.is_signed))
        return false;
    // In a breakdown(), time may move from one part to another. So each part may decrease, but the sum of all parts
    // never does.
    if (kind == AggKind::Breakdown)
        return std::reduce(now.begin(), now.end()) < std::reduce(before.begin(), before.end());
    // In the words of an average or a standard deviation, only the first word, the number of values, never decreases.
    const std::size_t rising = kind == AggKind::Avg || kind == AggKind::Stddev ? 1
                               : shape_                                        ? shape_->size()
                                                                               : now.size();
    for (std::size_t i = 0; i < rising; ++i)
        if (static_cast<uint64_t>(now[i]) < static_cast<uint64_t>(before[i]))
            return true;
    return false;
}

/// Handles expired keys (aggttl). The value of a series whose key is absent is not changed. If the key appeared again,
/// its new value is added to the series' previous value.
void MetricSeries::follow_leaving(std::span<const int64_t> before)
{
    for (std::size_t at = 0; !is_one() && at * words_ < before.size(); ++at) {
        const Words old = before.subspan(at * words_, words_);
        if (!series_[at].labels || series_[at].is_new)
            continue;
        if (!series_[at].is_seen)
            std::ranges::copy(old, live(at).begin());
        else if (has_begun_again(old, live(at)))
            combine(base(at), old);
    }
}

void MetricSeries::update(const Aggregation& table, const format::Environment& env, uint64_t now, Leaving leaving)
{
    for (Series& each : series_)
        each.is_seen = each.is_new = false;
    const bool had_other = has_other_;
    const std::vector<int64_t> before = table.expires_keys() ? live_ : std::vector<int64_t>();
    std::ranges::fill(live_, 0);
    total_ = emptied_;
    if (!is_kept())
        std::ranges::fill(other_, 0);
    look_at_entries(table, env);
    for (std::size_t at = 0; had_other && is_kept() && at < series_.size(); ++at)
        // Earlier values of this key were added to the series "other", which must not decrease. So they stay there, and
        // are subtracted from the new series.
        if (series_[at].is_new)
            subtract(base(at), live(at));
    follow_leaving(before);
    if (leaving == Leaving::Now)
        leave_absent(table);
    settle_rest();
    if (!is_kept() && !is_one()) {
        has_gone_ = table.has_expired();
        if (has_gone_)
            std::ranges::copy(table.words(Aggregation::kExpired), expired_.begin());
    }
    looked_ = now;
}

/// Removes series whose keys are absent from the aggregation. A counter is removed only if keys expire (aggttl).
/// Without aggttl, only trunc() removes keys, and they may be added again. A gauge is always removed with its key.
void MetricSeries::leave_absent(const Aggregation& table)
{
    if (std::ranges::all_of(series_, [](const Series& each) { return each.is_seen || !each.labels; }))
        return;
    std::vector<int64_t> room;
    for (auto each = by_labels_.begin(); each != by_labels_.end();) {
        const std::size_t at = each->second;
        const bool stays = series_[at].is_seen || is_one() || (is_kept() && !table.expires_keys());
        if (stays) {
            ++each;
            continue;
        }
        if (is_kept() && has_other_)
            combine(expired_, exported(at, room));
        has_gone_ = true;
        series_[at].labels = nullptr;
        known_.clear();
        free_.push_back(at);
        each = by_labels_.erase(each);
    }
}

/// Sets the series "other" or "gone" to the part of the aggregation's total that no other series includes.
void MetricSeries::settle_rest()
{
    if (!is_kept())
        return;
    std::vector<int64_t> rest = total_, room;
    for (std::size_t at = 0; at < series_.size(); ++at)
        if (series_[at].labels)
            subtract(rest, exported(at, room));
    if (has_other_) {
        subtract(rest, expired_);
        other_ = rest;
    } else {
        expired_ = rest;
        has_gone_ |= !is_zero(rest);
    }
}

Aggregation::Words MetricSeries::exported(std::size_t at, std::vector<int64_t>& room) const
{
    const Words base(base_.data() + at * words_, words_), live(live_.data() + at * words_, words_);
    if (!is_kept() || !has_bases_)
        return live;
    room.assign(base.begin(), base.end());
    combine(room, live);
    return room;
}

void MetricSeries::was_emptied(const Aggregation& table, const format::Environment& env)
{
    if (!is_kept())
        return;
    emptied_ = total_;
    for (const auto& [labels, at] : by_labels_) {
        combine(base(at), live(at));
        std::ranges::fill(live(at), 0);
    }
    for (uint32_t entry = 0; entry < table.size(); ++entry) {
        const Words words = table.words(entry);
        if (is_zero(words))
            continue;
        subtract(emptied_, words);
        if (const std::size_t at = find(table, entry, env); at != kNone) {
            subtract(base(at), words);
            combine(live(at), words);
        }
    }
    if (table.has_expired())
        subtract(emptied_, table.words(Aggregation::kExpired));
}

// ---- output ---------------------------------------------------------------------------------------------------------

void MetricSeries::append(MetricPage& page, std::string_view common, bool writes_created) const
{
    if (page.exposition() == Exposition::Messages)
        append_messages(page, *this, common, writes_created);
    else if (shape_ && shape_->has_parts())
        append_parts(page, common, writes_created);
    else if (shape_)
        append_histogram(page, common, writes_created);
    else
        append_numbers(page, common, writes_created);
}

template <typename Append> void MetricSeries::for_each_reported(Append append) const
{
    std::vector<int64_t> room;
    const auto each = [&](std::string_view labels, uint64_t created, Words words) {
        // min() and max() without values have no sample.
        if (!is_kept() && schema_.function->kind != AggKind::Sum && is_zero(words))
            return;
        append(labels, created, words);
    };
    for (std::size_t at = 0; at < series_.size(); ++at) // series are printed in the order of their creation
        if (series_[at].labels)
            each(*series_[at].labels, series_[at].created, exported(at, room));
    if (has_other_)
        each(other_labels_, began_, other_);
    if (has_gone_)
        each(expired_labels_, began_, expired_);
}

void MetricSeries::for_each(const Tell& tell) const
{
    for_each_reported(tell);
}

std::string MetricSeries::name() const
{
    return metric_name(schema_);
}

MetricFamily::Kind MetricSeries::kind() const
{
    return family_kind(schema_);
}

int64_t MetricSeries::gauge(Words words) const
{
    const AggKind kind = schema_.function->kind;
    if (const std::optional<TimeSeries> series = TimeSeries::of(schema_)) {
        const std::vector<TimeSeries::Point> points = series->points(words);
        return points.empty() ? 0 : number_of(series->function(), points.back().words, 1);
    }
    return is_sum(kind) ? words[0] : extreme(kind, words[0]);
}

Aggregation::Words MetricSeries::squares(Words words)
{
    return words.subspan(kSquaresAt);
}

std::vector<std::optional<int64_t>> MetricSeries::reported_bounds() const
{
    std::vector<std::optional<int64_t>> bounds;
    for (std::size_t i = 0; i < shape_->size(); ++i)
        bounds.push_back(reported_bound(*shape_, i, schema_.metric));
    return bounds;
}

void MetricSeries::append_numbers(MetricPage& page, std::string_view common, bool writes_created) const
{
    if (family_kind(schema_) == FamilyKind::Summary)
        return append_sums(page, common, writes_created);
    const Metric& metric = schema_.metric;
    const AggKind kind = schema_.function->kind;
    MetricFamily& family = page.family(metric_name(schema_), family_kind(schema_), metric.unit, metric.help,
                                       std::string(schema_.function->name));
    family.expect(page_bytes_);
    const std::size_t before = family.size();
    const bool is_counter = family.kind() == FamilyKind::Counter;
    const bool writes_times = writes_created && is_counter && page.exposition() == Exposition::OpenMetrics;
    MetricLines lines(family, is_counter ? "_total" : "", common);
    CreatedLines began(family, common);
    for_each_reported([&](std::string_view labels, uint64_t created, Words words) {
        Text& out = lines.begin(labels);
        if (is_sum(kind) && !metric.is_signed)
            append_metric_unsigned(out, static_cast<uint64_t>(words[0]), metric.decimals);
        else if (kind == AggKind::Count)
            append_metric_number(out, words[0]);
        else
            append_metric_number(out, gauge(words), metric.decimals);
        out.append('\n');
        if (writes_times)
            began.append(labels, created);
    });
    page_bytes_ = family.size() - before;
}

/// Appends an avg() or stddev() as a summary: sum and count.
void MetricSeries::append_sums(MetricPage& page, std::string_view common, bool writes_created) const
{
    const Metric& metric = schema_.metric;
    const std::string function(schema_.function->name);
    MetricFamily& family = page.family(metric_name(schema_), FamilyKind::Summary, metric.unit, metric.help, function);
    MetricFamily& more =
        schema_.function->kind == AggKind::Stddev
            ? page.family(family.name() + "_squares", FamilyKind::Counter, "", "squares of " + metric.help, function)
            : family;
    const bool writes_times = writes_created && page.exposition() == Exposition::OpenMetrics;
    MetricLines sums(family, "_sum", common), counts(family, "_count", common), squares(more, "_total", common);
    CreatedLines began(family, common), squares_began(more, common);
    for_each_reported([&](std::string_view labels, uint64_t created, Words words) {
        Text& out = sums.begin(labels);
        append_metric_wide(out, wide_sum(words), true, metric.decimals);
        out.append('\n');
        end_line(counts.begin(labels), words[0]);
        if (writes_times)
            began.append(labels, created);
        if (&more == &family)
            return;
        Text& behind = squares.begin(labels);
        append_metric_wide(behind, MetricSeries::squares(words), false, 2 * metric.decimals);
        behind.append('\n');
        if (writes_times)
            squares_began.append(labels, created);
    });
}

/// Appends breakdown() as counters of time, one for each part.
void MetricSeries::append_parts(MetricPage& page, std::string_view common, bool writes_created) const
{
    const Metric& metric = schema_.metric;
    MetricFamily& family = page.family(metric_name(schema_), FamilyKind::Counter, metric.unit, metric.help,
                                       std::string(schema_.function->name));
    const bool writes_times = writes_created && page.exposition() == Exposition::OpenMetrics;
    MetricLines lines(family, "_total", common);
    CreatedLines began(family, common);
    for_each_reported([&](std::string_view labels, uint64_t created, Words words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            Text part;
            part.append(labels);
            append_metric_label(part, kPartLabel, shape_->label(i));
            Text& out = lines.begin(part.view());
            append_metric_unsigned(out, static_cast<uint64_t>(words[i]), metric.decimals);
            out.append('\n');
            if (writes_times)
                began.append(part.view(), created);
        }
    });
}

/// Appends a histogram. The count of each bucket includes all values up to its upper bound. Bounds depend on the
/// program only, not on the data, so the histograms of several machines can be added up.
void MetricSeries::append_histogram(MetricPage& page, std::string_view common, bool writes_created) const
{
    const Metric& metric = schema_.metric;
    MetricFamily& family = page.family(metric_name(schema_), FamilyKind::Histogram, metric.unit, metric.help,
                                       std::string(schema_.function->name));
    const bool writes_times = writes_created && page.exposition() == Exposition::OpenMetrics;
    // A counter must not decrease, so no sum is written if values may be negative.
    const bool writes_sum = shape_->has_sum() && !metric.is_signed;
    // For each bucket, the object that writes its lines; empty if the bucket's bound is not reported.
    std::vector<std::optional<MetricLines>> buckets;
    for (const std::optional<int64_t> high : reported_bounds()) {
        Text label;
        if (high) {
            Text bound;
            append_metric_bound(bound, *high, metric.decimals);
            append_metric_label(label, "le", bound.view());
        }
        buckets.push_back(high ? std::optional<MetricLines>(std::in_place, family, "_bucket", common, label.view())
                               : std::nullopt);
    }
    MetricLines all(family, "_bucket", common, "le=\"+Inf\""), sums(family, "_sum", common),
        counts(family, "_count", common);
    CreatedLines began(family, common);
    for_each_reported([&](std::string_view labels, uint64_t created, Words words) {
        uint64_t count = 0;
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            count += static_cast<uint64_t>(words[i]);
            if (buckets[i])
                end_line(buckets[i]->begin(labels), static_cast<int64_t>(count));
        }
        end_line(all.begin(labels), static_cast<int64_t>(count));
        if (writes_sum) {
            Text& out = sums.begin(labels);
            append_metric_unsigned(out, static_cast<uint64_t>(words.back()), metric.decimals);
            out.append('\n');
        }
        end_line(counts.begin(labels), static_cast<int64_t>(count));
        if (writes_times)
            began.append(labels, created);
    });
}

} // namespace dt::output
