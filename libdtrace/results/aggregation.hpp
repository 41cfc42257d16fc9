// An aggregation in the form that sinks receive: unsorted entries with keys and merged values, bucket bounds, and the
// rules that convert stored words to printed numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::output {

class MetricSeries;

class Aggregation {
public:
    using Words = std::span<const int64_t>;

    const AggregationSchema& schema() const { return *schema_; }
    /// Returns the bucket layout, or null if the aggregating function draws no histogram.
    const format::HistogramShape* shape() const { return shape_ ? &*shape_ : nullptr; }

    /// Index of the entry with the merged value of all expired keys (-x aggttl). This entry has no key, and size() does
    /// not count it.
    static constexpr uint32_t kExpired = 0xfffffffe;
    bool has_expired() const { return !expired_words_.empty(); }
    /// Returns whether keys of the aggregation can expire (-x aggttl).
    bool expires_keys() const { return expires_keys_; }

    std::size_t size() const { return count_; }
    /// Returns the key's bytes; all zero for kExpired.
    const uint8_t* key(std::size_t entry) const
    {
        return entry == kExpired ? expired_key_.data() : keys_.data() + entry * schema_->key_size;
    }
    /// Returns the value merged over all CPUs, in the layout of abi.h. All words of an entry without a value are 0.
    Words words(std::size_t entry) const
    {
        return entry == kExpired ? Words(expired_words_)
                                 : Words(values_.data() + entry * schema_->words, schema_->words);
    }
    /// Returns the value that one CPU contributes to an entry. Only valid with the option aggpercpu.
    Words words_of_cpu(std::size_t entry, uint32_t cpu) const
    {
        return {per_cpu_.data() + (entry * cpus_ + cpu) * schema_->words, schema_->words};
    }
    bool has_per_cpu() const { return keep_per_cpu_; }
    uint32_t cpus() const { return cpus_; }

    /// Returns the number to print for a value that is not a histogram. The value is divided by `divisor`. For avg()
    /// and stddev() the result is the average or the standard deviation. For tseries() it is the intervals' function,
    /// such as avg, applied to the values of all printed intervals.
    int64_t number(Words words) const { return number(words, divisor); }
    /// Position of an entry in the sort order (dtrace-aggregations(7)).
    struct Rank {
        long double value = 0;
        int64_t tie = 0;
    };
    Rank rank(Words words) const;

    int64_t divisor = 1; ///< divisor of printed values, set by normalize()

    /// Returns the metric that accumulates this aggregation since tracing began, or null if no output contains metrics.
    MetricSeries* series() const { return series_.get(); }

protected:
    Aggregation() = default; // protected, because only derived classes may create an aggregation
    int64_t number(Words words, int64_t divisor) const;

    const AggregationSchema* schema_ = nullptr;
    std::optional<format::HistogramShape> shape_;
    bool keep_per_cpu_ = false;
    uint32_t cpus_ = 0;
    std::size_t count_ = 0;
    std::vector<uint8_t> keys_;
    std::vector<int64_t> values_, per_cpu_;
    std::vector<int64_t> expired_words_;
    std::vector<uint8_t> expired_key_;
    bool expires_keys_ = false;
    std::shared_ptr<MetricSeries> series_;
};

// Merges aggregation words (abi.h), and computes the results of avg() and stddev(). Sums have so many bits that they
// never overflow.

/// Merges the value `from` into the value `into` of the same key. Both consist of words in the kernel's layout. The
/// parameters are those of AggregationSchema; only tseries() needs them.
void combine_words(AggKind kind, const std::vector<int64_t>& parameters, std::span<int64_t> into,
                   std::span<const int64_t> from);
void combine_words(AggKind kind, std::span<int64_t> into, std::span<const int64_t> from);

/// Returns the number to print for a value of a function that is neither a histogram nor tseries(), divided by
/// `divisor`.
int64_t number_of(AggKind kind, std::span<const int64_t> words, int64_t divisor);

/// Add or subtract the words of an avg() or stddev() value, which consists of DT_AVG_WORDS or DT_STDDEV_WORDS words.
void add_sums(std::span<int64_t> into, std::span<const int64_t> from);
void subtract_sums(std::span<int64_t> from, std::span<const int64_t> amount);

/// Returns the sum of an avg() or stddev() value, low 64 bits first.
std::array<int64_t, 2> wide_sum(std::span<const int64_t> words);

/// Returns avg() as defined in dtrace-aggregations(7), FUNCTIONS: total / divisor / count. Each division truncates
/// towards zero.
int64_t average(std::span<const int64_t> words, int64_t divisor);
/// Returns stddev(): the truncated square root of (squares / divisor / count - average^2). The divisions truncate.
uint64_t deviation(std::span<const int64_t> words, int64_t divisor);

// Sorts aggregation entries for printing (dtrace-aggregations(7), PRINTING AND CHANGING) and joins several aggregations
// on equal keys.

/// A printed line: for each aggregation the index of an entry, or kAbsent if the aggregation does not contain the key.
/// In the last row, indexes may be Aggregation::kExpired.
struct Row {
    static constexpr uint32_t kAbsent = 0xffffffff;
    std::vector<uint32_t> entries;
};

/// Returns the tables joined on equal keys and sorted by the current values of the options agg*.
std::vector<Row> sorted_rows(std::span<const Aggregation* const> tables, const format::Environment& env);

/// Calls `visit` for every entry of every table in sort order. Machine-readable formats use this function, because each
/// of their lines contains one entry.
template <typename Visit>
void for_each_entry(std::span<const Aggregation* const> tables, const format::Environment& env, Visit visit)
{
    for (const Row& row : sorted_rows(tables, env))
        for (std::size_t i = 0; i < tables.size(); ++i)
            if (row.entries[i] != Row::kAbsent)
                visit(*tables[i], row.entries[i]);
}

/// Returns the entries of one table sorted by value, then by key. The options agg* have no effect. trunc() needs this
/// order.
std::vector<uint32_t> ascending_by_value(const Aggregation& table, const format::Environment& env);

/// Returns the index of the first table that contains the key of the row, or the number of tables if no table contains
/// it.
std::size_t key_owner(const Row& row);

/// Compares two keys, and returns a negative number, 0 or a positive number, as memcmp() does. Compares the components
/// from index `first` to the last one, and then the components before `first`.
int compare_keys(const format::Environment& env, const Aggregation& a, uint32_t entry_a, const Aggregation& b,
                 uint32_t entry_b, std::size_t first);

} // namespace dt::output
