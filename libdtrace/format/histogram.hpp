// Draws quantize, lquantize, llquantize, hquantize and breakdown (dtrace-output(7), HISTOGRAMS), and computes the
// weights by which entries are sorted (dtrace-aggregations(7), PRINTING AND CHANGING).
//
// The functions differ only in the labels, bounds and weights of their buckets. A HistogramShape computes these once
// per aggregation; the drawing code is common.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::format {

using Buckets = std::span<const int64_t>;

/// Returns whether the function's result is drawn as a histogram.
inline bool is_histogram(AggKind kind)
{
    return kind == AggKind::Quantize || kind == AggKind::Lquantize || kind == AggKind::Llquantize ||
           kind == AggKind::Hquantize || kind == AggKind::Breakdown;
}

class HistogramShape {
public:
    /// Creates the shape of a histogram from the parameters in AggregationSchema. Fails if the parameters do not
    /// describe a histogram.
    static Result<HistogramShape> make(AggKind kind, const std::vector<int64_t>& parameters);

    std::size_t size() const { return rows_.size(); }
    /// Returns the number of 64-bit words of a value in abi.h: one per bucket, and for hquantize() one for the sum of
    /// the counted values.
    std::size_t words() const { return size() + (has_sum_ ? 1 : 0); }
    bool has_sum() const { return has_sum_; }
    Buckets buckets(Buckets words) const { return words.first(size()); }
    /// Returns whether the buckets are the named parts of a time (breakdown()), and not counts of integers.
    bool has_parts() const { return has_parts_; }
    /// Returns the bucket of the part of breakdown() with this name, or nothing if there is no such part.
    std::optional<std::size_t> part(std::string_view name) const;
    /// Returns whether no integer falls into the bucket; such buckets are never printed.
    bool is_ghost(std::size_t bucket) const { return rows_[bucket].ghost; }
    /// Returns the bucket's label. `negatives_shown` says whether negative buckets are printed, and matters only for
    /// the middle bucket of llquantize.
    const std::string& label(std::size_t bucket, bool negatives_shown = true) const;

    /// Range of integers that fall into a bucket, inclusive. If `low` or `high` is missing, the range has no limit at
    /// that end.
    struct Bounds {
        std::optional<int64_t> low = {}, high = {};
        bool operator==(const Bounds&) const = default;
    };
    const Bounds& bounds(std::size_t bucket) const { return rows_[bucket].bounds; }

    /// Inclusive range of printed rows: from one row before the first nonzero bucket to one row after the last. If all
    /// buckets are zero, the range depends on the function.
    struct Range {
        std::size_t first = 0, last = 0;
    };
    Range shown(Buckets buckets) const;
    /// Returns the range of buckets to print, one per row, if `first_used` and `last_used` are the outermost nonzero
    /// buckets. If several entries are printed side by side, as columns, the arguments must cover all of them. If all
    /// buckets are zero, empty_range() must be used instead.
    Range extend(std::size_t first_used, std::size_t last_used) const;
    Range empty_range() const { return empty_; }

    bool is_negative(std::size_t bucket) const { return bucket < middle_; }

    /// Return the sort keys of an entry: the weighted sum of the counts, and the count that decides the order of
    /// entries with equal sums.
    long double weight(Buckets buckets) const;
    int64_t tie(Buckets buckets) const { return buckets[tie_]; }

private:
    struct Row {
        std::string label;
        long double weight = 0;
        bool ghost = false;
        Bounds bounds = {};
    };

    void make_quantize();
    bool make_lquantize(const std::vector<int64_t>& parameters);
    bool make_llquantize(const std::vector<int64_t>& parameters);
    void bound_magnitudes();
    bool make_hquantize(const std::vector<int64_t>& parameters);
    void make_breakdown();

    std::vector<Row> rows_;
    bool has_parts_ = false, has_sum_ = false;
    std::size_t middle_ = 0;     ///< for llquantize: the bucket between negative and positive buckets; otherwise 0
    std::string middle_alone_;   ///< label of the middle bucket if no negative bucket is printed
    std::size_t tie_ = SIZE_MAX; ///< bucket whose count orders entries of equal weight; SIZE_MAX if there is none
    Range empty_;
};

struct HistogramStyle {
    int64_t divisor = 1; ///< divisor of the printed counts; bars show the counts before the division
    bool zoom = false;   ///< option aggzoom: bars are scaled so that the longest bar has the full width
    int columns = 40;    ///< width of a bar in columns
};

/// Returns the width of a bar in columns: 40, or more if the output is a terminal that is wide enough. `terminal` is
/// the terminal's width in columns.
int bar_columns(unsigned terminal);

/// Appends a newline, the heading and the rows of a histogram.
void append_histogram(Text& out, const HistogramShape& shape, Buckets buckets, const HistogramStyle& style);

/// Appends the newline and the heading; `what` is "value" for histograms and "key" for agghist.
void append_distribution_heading(Text& out, std::string_view what, int columns);

/// The bars of several rows, drawn to a common scale. The axis is at the left, in the middle or at the right, depending
/// on the signs that occur.
class Bars {
public:
    explicit Bars(const HistogramStyle& style) : zoom_(style.zoom), columns_(style.columns) {}
    void add(int64_t count);
    /// Appends the bar of one row. Because of the axis, the bar is one column wider than `columns`.
    void append(Text& out, int64_t count) const;

private:
    long double total_ = 0;
    long double largest_ = 0;
    bool positive_ = false, negative_ = false, zoom_ = false;
    int columns_;
};

/// Layout of option aggpack, which prints each entry as one line with a column for each bucket. The range of buckets is
/// the same for all entries.
struct PackedColumns {
    HistogramShape::Range range;
    bool utf8 = false;
};
void append_packed_heading(Text& out, const HistogramShape& shape, const PackedColumns& columns);
void append_packed(Text& out, const HistogramShape& shape, const PackedColumns& columns, std::string_view keys,
                   Buckets buckets, int64_t divisor);

} // namespace dt::format
