// An aggregation as outputs see it: entries in no order, each with its key and combined words; the bounds of its
// buckets; what its numbers mean.
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
    /// Null unless the function draws a histogram.
    const format::HistogramShape* shape() const { return shape_ ? &*shape_ : nullptr; }

    /// What keys that fell silent have left together (-x aggttl): an entry beside those of size(), which has no key.
    static constexpr uint32_t kGone = 0xfffffffe;
    bool has_gone() const { return !gone_words_.empty(); }
    /// Keys may leave by themselves.
    bool forgets() const { return forgets_; }

    std::size_t size() const { return count_; }
    /// Of kGone: zeros.
    const uint8_t* key(std::size_t entry) const
    {
        return entry == kGone ? gone_key_.data() : keys_.data() + entry * schema_->key_size;
    }
    /// The combined words as abi.h stores them; all zero is the function's initial value.
    Words words(std::size_t entry) const
    {
        return entry == kGone ? Words(gone_words_) : Words(values_.data() + entry * schema_->words, schema_->words);
    }
    /// The same of one CPU; only with the option aggpercpu.
    Words words_of_cpu(std::size_t entry, uint32_t cpu) const
    {
        return {per_cpu_.data() + (entry * cpus_ + cpu) * schema_->words, schema_->words};
    }
    bool has_per_cpu() const { return keep_per_cpu_; }
    uint32_t cpus() const { return cpus_; }

    /// The number that is printed for words that are not a histogram: divided, averaged, the deviation taken.
    int64_t number(Words words) const { return number(words, divisor); }
    /// What an entry is sorted by (dtrace-aggregations(7)).
    struct Rank {
        long double value = 0;
        int64_t tie = 0;
    };
    Rank rank(Words words) const;

    int64_t divisor = 1; ///< normalize()

    /// What it is as a metric, from when tracing began; null where nobody reads that.
    MetricSeries* series() const { return series_.get(); }

protected:
    Aggregation() = default; // what has a source fills it
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
