// An aggregation as a metric: a series for each key.
//
// Who reads metrics looks now and then, and takes a number that is less than before for a counter that has begun again.
// clear() and trunc() are D's business, so what they take away is kept here; there are at most so many series, and what
// is over that is in one called "other"; what has left (-x aggttl) is in one called "gone". The sum of all is always
// that of all that was counted, and none of them turns back.
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

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/output/metric_page.hpp"

namespace dt::output {

/// The series of one aggregation; the same object as long as it is traced. Times are ns by CLOCK_REALTIME.
class MetricSeries {
public:
    /// `schema` must outlive it; `shape` is null unless the function has buckets. Of the options series and labels.
    MetricSeries(const AggregationSchema& schema, const format::HistogramShape* shape, const PrintOptions& options,
                 uint64_t now);

    /// The aggregation as it is at `now`. Series leave in front of a page only: so who reads pages sees that one was
    /// away before it begins again.
    enum class Leaving : uint8_t { Now, Later };
    void look(const Aggregation& table, const format::Environment& env, uint64_t now, Leaving leaving = Leaving::Now);
    /// After look(): its values, or keys, were taken away, and this is what is left. Gauges follow.
    void was_emptied(const Aggregation& table, const format::Environment& env);

    /// `common`: labels that all samples have. `tells_created`: when each series began.
    void append(MetricPage& page, std::string_view common, bool tells_created) const;

    /// For formats that are no text: each series as append() tells it. Of the labels each is as append_metric_label()
    /// has it.
    using Tell = std::function<void(std::string_view labels, uint64_t created, Aggregation::Words words)>;
    void for_each(const Tell& tell) const;
    const AggregationSchema& schema() const { return schema_; }
    /// Null unless the function has buckets.
    const format::HistogramShape* shape() const { return shape_ ? &*shape_ : nullptr; }
    std::string name() const;
    MetricFamily::Kind kind() const;
    /// The number of a gauge.
    int64_t gauge(Aggregation::Words words) const;
    /// Of stddev(): the sum of squares, the low 64 bits first.
    static Aggregation::Words squares(Aggregation::Words words);
    /// Of each bucket; empty: its values are counted in the next one that has a bound.
    std::vector<std::optional<int64_t>> told_bounds() const;

    std::size_t size() const { return by_labels_.size(); }

private:
    using Words = Aggregation::Words;
    struct Series {
        const std::string* labels = nullptr; ///< null: there is none in this place
        uint64_t created = 0;
        bool is_seen = false, is_new = false; ///< in the last look
    };
    static constexpr std::size_t kNone = SIZE_MAX; // no series of its own

    bool is_kept() const; ///< the function's values add up to counters
    std::size_t find(const Aggregation& table, uint32_t entry, const format::Environment& env);
    bool may_admit(std::string_view labels) const;
    void look_at_entries(const Aggregation& table, const format::Environment& env);
    /// Without labels there is one series, of all there ever was.
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
    /// To be changed.
    std::span<int64_t> base(std::size_t at)
    {
        has_bases_ = true;
        return {base_.data() + at * words_, words_};
    }
    Words told(std::size_t at, std::vector<int64_t>& room) const;

    void append_numbers(MetricPage& page, std::string_view common, bool tells_created) const;
    void append_sums(MetricPage& page, std::string_view common, bool tells_created) const;
    template <typename Append> void for_each_told(Append append) const;
    void append_histogram(MetricPage& page, std::string_view common, bool tells_created) const;
    void append_parts(MetricPage& page, std::string_view common, bool tells_created) const;

    const AggregationSchema& schema_;
    const std::optional<format::HistogramShape> shape_;
    const std::size_t limit_, words_;
    const uint64_t began_;
    uint64_t looked_;
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    struct Label {
        std::size_t key = 0; ///< of the schema's
        std::string name;
    };
    std::vector<Label> labels_;      ///< keys that are some
    bool has_fixed_labels_ = false;  ///< one key has the same ones at all times: symbols come and go
    std::vector<std::size_t> known_; ///< where the series of an entry was found, with which key
    std::vector<uint8_t> known_keys_;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_labels_;
    std::vector<Series> series_;
    std::vector<std::size_t> free_;
    std::vector<int64_t> live_;    ///< words of each series: what the aggregation has
    std::vector<int64_t> base_;    ///< likewise: what is to be added to that
    bool has_bases_ = false;       ///< some of these are not 0
    std::vector<int64_t> total_;   ///< of the whole aggregation, with what was taken away
    std::vector<int64_t> emptied_; ///< that part of it
    std::vector<int64_t> other_, gone_;
    bool has_other_ = false, has_gone_ = false;
    std::string other_labels_, gone_labels_;
    format::Text scratch_, value_;
    mutable std::size_t page_bytes_ = 0; ///< of the last page: the next one is about as long
};

} // namespace dt::output
