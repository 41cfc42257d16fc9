// An aggregation as a metric: one time series per key.
//
// Monitoring systems poll now and then. If a number is smaller than before, they assume that the counter was restarted.
// So values that clear() and trunc() remove in D are retained here. The number of series is limited: values of further
// keys go to a series called "other", and values of expired keys (-x aggttl) to one called "gone". The sum of all
// series always equals everything that was counted, and no counter decreases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/results/aggregation.hpp"

namespace dt::output {

/// The time series of one aggregation. They exist until the trace ends. Times are ns of CLOCK_REALTIME.
class MetricSeries {
public:
    /// `schema` must outlive this object; `shape` is null if the aggregating function has no buckets. The options
    /// maxseries and labels are read from `options`.
    MetricSeries(const AggregationSchema& schema, const format::HistogramShape* shape, const PrintOptions& options,
                 uint64_t now);

    /// Updates the series from the aggregation at the time `now`. With Leaving::Now, removes series whose keys are
    /// absent. Leaving::Now may be used only just before a page is written. Then readers see a page without the removed
    /// series, even if it is created again later.
    enum class Leaving : uint8_t { Now, Later };
    void update(const Aggregation& table, const format::Environment& env, uint64_t now, Leaving leaving = Leaving::Now);
    /// Retains the values of counters that the D program has just removed. Must be called after update(). `table`
    /// contains the values that remain. Gauges get their new values only at the next update().
    void was_emptied(const Aggregation& table, const format::Environment& env);

    /// Appends the samples to `page`. `common` contains labels that all samples get. If `writes_created` is set, also
    /// writes the creation time of each series.
    void append(MetricPage& page, std::string_view common, bool writes_created) const;

    /// Calls `tell` for each series that append() would write. Binary formats use this function instead of append().
    /// Labels have the form that append_metric_label() writes.
    using Tell = std::function<void(std::string_view labels, uint64_t created, Aggregation::Words words)>;
    void for_each(const Tell& tell) const;
    const AggregationSchema& schema() const { return schema_; }
    /// Returns the bucket layout, or null if the aggregating function has no buckets.
    const format::HistogramShape* shape() const { return shape_ ? &*shape_ : nullptr; }
    std::string name() const;
    MetricFamily::Kind kind() const;
    /// Returns the value of a gauge from an aggregation's words.
    int64_t gauge(Aggregation::Words words) const;
    /// Returns the sum of squares of a stddev() value, low 64 bits first.
    static Aggregation::Words squares(Aggregation::Words words);
    /// Returns the reported upper bound of each bucket. A bucket without a reported bound is counted in the next bucket
    /// that has one.
    std::vector<std::optional<int64_t>> reported_bounds() const;

    std::size_t size() const { return by_labels_.size(); }

private:
    using Words = Aggregation::Words;
    struct Series {
        const std::string* labels = nullptr; ///< labels of the series; null if this slot of the table is unused
        uint64_t created = 0;
        /// is_seen: the last update() found the series' key. is_new: the last update() created the series.
        bool is_seen = false, is_new = false;
    };
    static constexpr std::size_t kNone = SIZE_MAX; // result of find() if no time series exists

    bool is_kept() const; ///< returns whether the metric is a counter, whose values remain after clear() and trunc()
    std::size_t find(const Aggregation& table, uint32_t entry, const format::Environment& env);
    bool may_admit(std::string_view labels) const;
    void look_at_entries(const Aggregation& table, const format::Environment& env);
    /// Returns whether there is only one series, because no key is a label. That series includes expired keys.
    bool is_one() const { return other_labels_.empty(); }
    std::string labels_all(std::string_view value) const;
    std::size_t admit(std::string labels, uint64_t created);
    bool has_begun_again(Words before, Words now) const;
    void follow_leaving(std::span<const int64_t> before);
    void leave_absent(const Aggregation& table);
    void settle_rest();
    void combine(std::span<int64_t> into, Words from) const;
    void subtract(std::span<int64_t> from, Words amount) const;
    std::span<int64_t> live(std::size_t at) { return {live_.data() + at * words_, words_}; }
    /// Returns the words of a series with the values that the D program has already removed. The caller may modify
    /// them. Output adds them to the words in `live_`.
    std::span<int64_t> base(std::size_t at)
    {
        has_bases_ = true;
        return {base_.data() + at * words_, words_};
    }
    Words exported(std::size_t at, std::vector<int64_t>& room) const;

    void append_numbers(MetricPage& page, std::string_view common, bool writes_created) const;
    void append_sums(MetricPage& page, std::string_view common, bool writes_created) const;
    template <typename Append> void for_each_reported(Append append) const;
    void append_histogram(MetricPage& page, std::string_view common, bool writes_created) const;
    void append_parts(MetricPage& page, std::string_view common, bool writes_created) const;

    const AggregationSchema& schema_;
    const std::optional<format::HistogramShape> shape_;
    const std::size_t limit_, words_;
    const uint64_t began_;
    uint64_t looked_;
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    struct Label {
        std::size_t key = 0; ///< index of the key part in the schema's keys
        std::string name;
    };
    std::vector<Label> labels_; ///< the parts of keys that become labels of samples
    /// Whether the labels of a key never change. False if keys contain symbols or cgroups, because their names may
    /// change.
    bool has_fixed_labels_ = false;
    /// The result of the last find() for each entry: the index of its time series (known_), and the key for which it
    /// was found (known_keys_).
    std::vector<std::size_t> known_;
    std::vector<uint8_t> known_keys_;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_labels_;
    std::vector<Series> series_;
    std::vector<std::size_t> free_;
    std::vector<int64_t> live_; ///< for each series, the words of its key's current value in the aggregation
    std::vector<int64_t> base_; ///< for each series, the words of removed values, which are added to those in `live_`
    bool has_bases_ = false;    ///< whether some values were removed, so that some words of `base_` are not 0
    /// sum over the whole aggregation, including values that the D program has removed, in 64-bit words
    std::vector<int64_t> total_;
    std::vector<int64_t> emptied_; ///< sum of all values that the D program has removed, in 64-bit words
    std::vector<int64_t> other_, expired_;
    bool has_other_ = false, has_gone_ = false;
    std::string other_labels_, expired_labels_;
    format::Text scratch_, value_;
    /// size in bytes of the text that the last append() wrote, used to reserve memory for the next one
    mutable std::size_t page_bytes_ = 0;
};

} // namespace dt::output
