// quantize, lquantize, llquantize and hquantize as pictures (dtrace-output(7), HISTOGRAMS), and what sorting needs to
// know of them (dtrace-aggregations(7), PRINTING AND CHANGING).
//
// The functions differ only in what their buckets are called and weigh: a Shape computes that once per
// aggregation, and drawing is the same for all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/builtins.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::format {

using Buckets = std::span<const int64_t>;

/// Is what the function comes to a picture?
inline bool is_histogram(AggKind kind)
{
    return kind == AggKind::Quantize || kind == AggKind::Lquantize || kind == AggKind::Llquantize ||
           kind == AggKind::Hquantize || kind == AggKind::Breakdown;
}

class HistogramShape {
public:
    /// `parameters` as in AggregationSchema. Fails when they do not describe a histogram.
    static Result<HistogramShape> make(AggKind kind, const std::vector<int64_t>& parameters);

    std::size_t size() const { return rows_.size(); }
    /// Of a value (abi.h): the buckets, and behind those of hquantize() the sum of what was counted.
    std::size_t words() const { return size() + (has_sum_ ? 1 : 0); }
    bool has_sum() const { return has_sum_; }
    Buckets buckets(Buckets words) const { return words.first(size()); }
    /// breakdown(): what a bucket has is no count of integers but time, of the part that is its label.
    bool has_parts() const { return has_parts_; }
    /// The bucket of the part with this name, if it has parts and one that is called so.
    std::optional<std::size_t> part(std::string_view name) const;
    /// Buckets that no integer falls into are never shown.
    bool is_ghost(std::size_t bucket) const { return rows_[bucket].ghost; }
    /// `negatives_shown` matters only for the middle bucket of llquantize.
    const std::string& label(std::size_t bucket, bool negatives_shown = true) const;

    /// The integers that fall into a bucket, both ends included; without one there is no bound on that side.
    struct Bounds {
        std::optional<int64_t> low = {}, high = {};
        bool operator==(const Bounds&) const = default;
    };
    const Bounds& bounds(std::size_t bucket) const { return rows_[bucket].bounds; }

    /// Rows shown, both ends included: one bucket around the non-zero ones, or the kind's own choice when all are zero.
    struct Range {
        std::size_t first = 0, last = 0;
    };
    Range shown(Buckets buckets) const;
    /// The same for several entries that share their columns; `empty` when every bucket is zero.
    Range extend(std::size_t first_used, std::size_t last_used) const;
    Range empty_range() const { return empty_; }

    bool is_negative(std::size_t bucket) const { return bucket < middle_; }

    /// What entries are sorted by: the weighted sum of the counts, and the count that breaks ties.
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
    std::size_t middle_ = 0;     ///< llquantize: the bucket between the signs; else 0
    std::string middle_alone_;   ///< its label when no negative bucket is shown
    std::size_t tie_ = SIZE_MAX; ///< bucket that breaks ties
    Range empty_;
};

struct HistogramStyle {
    int64_t divisor = 1; ///< of the printed counts; bars show what was counted
    bool zoom = false;   ///< aggzoom: the longest bar fills the width
    int columns = 40;    ///< of a bar
};

/// How long bars are: 40, or what a terminal of so many columns has room for.
int bar_columns(unsigned terminal);

/// A newline, the heading and the rows.
void append_histogram(Text& out, const HistogramShape& shape, Buckets buckets, const HistogramStyle& style);

/// The newline and heading alone: "value" for histograms, "key" for agghist.
void append_distribution_heading(Text& out, std::string_view what, int columns);

/// The bars of several rows drawn to one scale: which signs occur decides where the axis is.
class Bars {
public:
    explicit Bars(const HistogramStyle& style) : zoom_(style.zoom), columns_(style.columns) {}
    void add(int64_t count);
    /// The bar part of one row, one column more than its bars have.
    void append(Text& out, int64_t count) const;

private:
    long double total_ = 0;
    long double largest_ = 0;
    bool positive_ = false, negative_ = false, zoom_ = false;
    int columns_;
};

/// aggpack: one line per entry, columns shared.
struct PackedColumns {
    HistogramShape::Range range;
    bool utf8 = false;
};
void append_packed_heading(Text& out, const HistogramShape& shape, const PackedColumns& columns);
void append_packed(Text& out, const HistogramShape& shape, const PackedColumns& columns, std::string_view keys,
                   Buckets buckets, int64_t divisor);

} // namespace dt::format
