// An aggregation as sinks see it: unsorted entries with keys and merged values, bucket bounds, and the rules that turn
// stored words into printed numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::output {

class MetricSeries;

class Aggregation {
public:
    using Words = std::span<const int64_t>;

    const AggregationSchema& schema() const { return *schema_; }
    /// Returns the bucket layout, or null unless the function draws a histogram.
    const format::HistogramShape* shape() const { return shape_ ? &*shape_ : nullptr; }

    /// Index of the merged value of all expired keys (-x aggttl). This entry has no key and is not counted in size().
    static constexpr uint32_t kGone = 0xfffffffe;
    bool has_gone() const { return !gone_words_.empty(); }
    /// Returns whether keys can expire.
    bool forgets() const { return forgets_; }

    std::size_t size() const { return count_; }
    /// Returns the key's bytes; all zero for kGone.
    const uint8_t* key(std::size_t entry) const
    {
        return entry == kGone ? gone_key_.data() : keys_.data() + entry * schema_->key_size;
    }
    /// Returns the value merged over all CPUs, in the layout of abi.h. All words zero is the function's initial value.
    Words words(std::size_t entry) const
    {
        return entry == kGone ? Words(gone_words_) : Words(values_.data() + entry * schema_->words, schema_->words);
    }
    /// Returns one CPU's value of an entry. Only valid with the option aggpercpu.
    Words words_of_cpu(std::size_t entry, uint32_t cpu) const
    {
        return {per_cpu_.data() + (entry * cpus_ + cpu) * schema_->words, schema_->words};
    }
    bool has_per_cpu() const { return keep_per_cpu_; }
    uint32_t cpus() const { return cpus_; }

    /// Returns the printed number of a value that is not a histogram: divided, averaged, or as a standard deviation.
    int64_t number(Words words) const { return number(words, divisor); }
    /// Sort position of an entry (dtrace-aggregations(7)).
    struct Rank {
        long double value = 0;
        int64_t tie = 0;
    };
    Rank rank(Words words) const;

    int64_t divisor = 1; ///< set by normalize()

    /// Returns the metric that accumulates this aggregation since tracing began, or null if no metric output needs it.
    MetricSeries* series() const { return series_.get(); }

protected:
    Aggregation() = default; // only derived classes create and fill one
    int64_t number(Words words, int64_t divisor) const;

    const AggregationSchema* schema_ = nullptr;
    std::optional<format::HistogramShape> shape_;
    bool keep_per_cpu_ = false;
    uint32_t cpus_ = 0;
    std::size_t count_ = 0;
    std::vector<uint8_t> keys_;
    std::vector<int64_t> values_, per_cpu_;
    std::vector<int64_t> gone_words_;
    std::vector<uint8_t> gone_key_;
    bool forgets_ = false;
    std::shared_ptr<MetricSeries> series_;
};

} // namespace dt::output
