// Values of tseries() (dtrace-aggregations(7), tseries): a ring of slots, one for each interval of the wall-clock time
// (bpf-runtime/abi.h).
//
// The intervals of all CPUs and hosts begin at the same times, so values are merged slot by slot. A slot that contains
// an interval older than the printed ones stays in the words until a newer interval replaces it, and points() skips it.
// Merging is therefore commutative and associative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::output {

class TimeSeries {
public:
    using Words = std::span<const int64_t>;

    /// Returns the series with the parameters in AggregationSchema. Fails if tseries() cannot have these parameters.
    static Result<TimeSeries> make(const std::vector<int64_t>& parameters);
    /// Returns the series of an aggregation, or nothing if its function is not tseries().
    static std::optional<TimeSeries> of(const AggregationSchema& schema);

    /// Returns the number of words of a value.
    std::size_t words() const { return count_ * slot_words(); }
    int64_t interval() const { return interval_; } ///< length of an interval in ns
    /// Returns the function that is applied to the values of an interval: count, sum, avg, min or max.
    AggKind function() const { return function_; }

    struct Point {
        int64_t time = 0; ///< start of the interval in ns since 1970-01-01 UTC
        Words words;      ///< words of function(); empty if the interval has no value
    };
    /// Returns the intervals from the oldest one with a value to the newest one with a value, at most the number in the
    /// call of tseries(). Skips slots that are not valid.
    std::vector<Point> points(Words words) const;
    /// Merges the value `from` into the value `into`.
    void combine(std::span<int64_t> into, Words from) const;
    /// Returns one value into which the values of all intervals in points() are merged.
    std::vector<int64_t> whole(Words words) const;
    /// Multiplies the counts or sums of a value by `factor`. Other functions are not changed.
    void scale(std::span<int64_t> words, double factor) const;

private:
    std::size_t value_words() const;
    std::size_t slot_words() const;
    /// Returns the stamp of the slot with this index, or 0 if the slot is not valid.
    uint64_t stamp(Words words, std::size_t slot) const;

    int64_t interval_ = 1;
    std::size_t count_ = 0;
    AggKind function_ = AggKind::Count;
};

/// Appends a newline, the heading and one line for each interval: its start in local time, a bar and the value. An
/// interval without values has 0 as its count and sum, and "-" as its average, minimum and maximum.
void append_time_series(format::Text& out, const TimeSeries& series, TimeSeries::Words words,
                        const format::HistogramStyle& style);

} // namespace dt::output
