// Computes labels, bounds and weights of buckets, and draws histograms. All aggregating functions are drawn in the same
// way, except breakdown(), whose parts are sorted by size.
#include "libdtrace/format/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "bpf-runtime/abi.h"
#include "dcompiler/interface/thread_names.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

namespace {

// Maximum number of buckets. It is larger than the number that D allows, because a schema that was read from a file may
// contain any number.
constexpr std::size_t kMaxBuckets = 1 << 20;
constexpr std::string_view kTitle = " Distribution ";

long double magnitude(int64_t count)
{
    return std::fabs(static_cast<long double>(count));
}

std::string power_text(unsigned __int128 value)
{
    return std::to_string(static_cast<uint64_t>(value));
}

} // namespace

Result<HistogramShape> HistogramShape::make(AggKind kind, const std::vector<int64_t>& parameters)
{
    HistogramShape shape;
    bool valid = true;
    if (kind == AggKind::Quantize)
        shape.make_quantize();
    else if (kind == AggKind::Lquantize)
        valid = shape.make_lquantize(parameters);
    else if (kind == AggKind::Llquantize)
        valid = shape.make_llquantize(parameters);
    else if (kind == AggKind::Hquantize)
        valid = shape.make_hquantize(parameters);
    else if (kind == AggKind::Breakdown)
        shape.make_breakdown();
    else
        valid = false;
    if (!valid)
        return Error{"aggregation parameters do not describe a histogram"};
    return shape;
}

void HistogramShape::make_quantize()
{
    rows_.resize(DT_QUANTIZE_BUCKETS);
    for (int i = 0; i < DT_QUANTIZE_BUCKETS; ++i) {
        const int power = std::abs(i - DT_QUANTIZE_ZERO) - 1;
        const int64_t least = power < 0 ? 0 : int64_t{1} << power, most = power < 0 ? 0 : least + (least - 1);
        Row& row = rows_[static_cast<std::size_t>(i)];
        if (i >= DT_QUANTIZE_ZERO)
            row = {std::to_string(least), static_cast<long double>(least), false, {least, most}};
        else
            row = {std::to_string(-least), -static_cast<long double>(least), false, {-most, -least}};
    }
    // quantize() also counts INT64_MIN, in the lowest bucket, although this number has no positive counterpart
    rows_.front().bounds.low.reset();
    rows_.back().bounds.high.reset();
    tie_ = DT_QUANTIZE_ZERO;
    empty_ = {DT_QUANTIZE_ZERO - 1, DT_QUANTIZE_ZERO + 1};
}

/// Entries are sorted by their total time, and entries with equal totals by their time on a CPU in user mode.
void HistogramShape::make_breakdown()
{
    for (const TimePart& part : kTimeParts)
        rows_.push_back({std::string(part.name), 1});
    has_parts_ = true;
    tie_ = DT_PART_USER;
}

std::optional<std::size_t> HistogramShape::part(std::string_view name) const
{
    const auto row = std::find_if(rows_.begin(), rows_.end(), [name](const Row& each) { return each.label == name; });
    return has_parts_ && row != rows_.end() ? std::optional(static_cast<std::size_t>(row - rows_.begin()))
                                            : std::nullopt;
}

bool HistogramShape::make_lquantize(const std::vector<int64_t>& parameters)
{
    if (parameters.size() < 2)
        return false;
    const int64_t base = parameters[0], limit = parameters[1];
    const int64_t step = parameters.size() > 2 ? parameters[2] : 1;
    if (base != static_cast<int32_t>(base) || limit != static_cast<int32_t>(limit) || base >= limit || step <= 0)
        return false;
    const int64_t levels = (limit - base) / step;
    if (levels < 1 || static_cast<std::size_t>(levels) > kMaxBuckets)
        return false;
    rows_.reserve(static_cast<std::size_t>(levels) + 2);
    rows_.push_back({"< " + std::to_string(base), static_cast<long double>(base - 1), false, {{}, base - 1}});
    for (int64_t low = base; low < base + levels * step; low += step)
        rows_.push_back({std::to_string(low), static_cast<long double>(low), false, {low, low + step - 1}});
    const int64_t top = base + levels * step;
    rows_.push_back({">= " + std::to_string(top), static_cast<long double>(top + 1), false, {top, {}}});
    tie_ = base > 0 ? 0 : static_cast<std::size_t>(std::min(-base / step, levels)) + 1;
    empty_ = {0, 2};
    return true;
}

bool HistogramShape::make_llquantize(const std::vector<int64_t>& parameters)
{
    if (parameters.size() < 4)
        return false;
    const int64_t factor = parameters[0], low = parameters[1], high = parameters[2], steps = parameters[3];
    constexpr int64_t kMax = 65535;
    if (factor < 2 || factor > kMax || low < 0 || high < low || high > 63 || steps < 1 || steps > kMax)
        return false;
    std::vector<unsigned __int128> powers{1}; // powers[i] contains factor^i, for i from 0 to high + 1
    for (int64_t i = 0; i <= high; ++i) {
        powers.push_back(powers.back() * static_cast<unsigned __int128>(factor));
        if (powers.back() > UINT64_MAX)
            return false;
    }
    const int64_t whole = steps / factor, per_magnitude = steps - whole;

    std::vector<Row> positive;
    for (int64_t m = low; m <= high; ++m) {
        const auto at = static_cast<std::size_t>(m);
        const unsigned __int128 size = powers[at + 1] / static_cast<unsigned>(steps);
        for (int64_t i = 0; i < per_magnitude; ++i) {
            const auto index = static_cast<unsigned __int128>(i + whole);
            unsigned __int128 bound = index * size;
            bool ghost = false;
            // In the lowest magnitude, the lower bound of bucket `index` is the smallest integer x with floor(x * steps
            // / factor) = `index`; such an integer may not exist.
            if (m == 0) {
                bound = (index * static_cast<unsigned>(factor) + static_cast<unsigned>(steps - 1)) /
                        static_cast<unsigned>(steps);
                ghost = bound * static_cast<unsigned>(steps) / static_cast<unsigned>(factor) != index;
            }
            bound = std::max(bound, powers[at]);
            positive.push_back({power_text(bound), static_cast<long double>(bound), ghost});
        }
    }

    const auto outermost = static_cast<long double>(powers.back());
    rows_.push_back({"<= -" + power_text(powers.back()), -outermost});
    for (auto row = positive.rbegin(); row != positive.rend(); ++row)
        rows_.push_back({"-" + row->label, -row->weight, row->ghost});
    middle_ = rows_.size();
    const std::string bound = power_text(powers[static_cast<std::size_t>(low)]);
    rows_.push_back({low == 0 ? "0" : "abs() < " + bound, 0});
    middle_alone_ = low == 0 ? "0" : "< " + bound;
    rows_.insert(rows_.end(), positive.begin(), positive.end());
    rows_.push_back({">= " + power_text(powers.back()), outermost});
    tie_ = middle_;
    empty_ = extend(middle_ + 1, middle_ + 1);
    bound_magnitudes();
    return true;
}

/// Computes the bounds of llquantize buckets. A bucket that contains no integers is omitted, so the bucket before it
/// ends where the next nonempty bucket begins.
void HistogramShape::bound_magnitudes()
{
    std::optional<int64_t> next;
    for (std::size_t i = rows_.size() - 1; i > middle_; --i) {
        constexpr auto kMax = static_cast<long double>(INT64_MAX);
        Row& up = rows_[i];
        Row& down = rows_[2 * middle_ - i];
        if (up.ghost || up.weight > kMax)
            continue; // no integer falls into the bucket, so it keeps no bounds
        const auto low = static_cast<int64_t>(up.weight);
        up.bounds = {low, next ? std::optional(*next - 1) : std::nullopt};
        down.bounds = {next ? std::optional(1 - *next) : std::nullopt, -low};
        next = low;
    }
    rows_[middle_].bounds = {next ? std::optional(1 - *next) : std::nullopt,
                             next ? std::optional(*next - 1) : std::nullopt};
}

namespace {

/// Returns the largest integer that is not above (2^(2^-schema))^power, but at most 2^63.
uint64_t exponential_bound(int64_t power, unsigned schema)
{
#define DT_NUMBER_OF_BOUND(n, bound) bound,
    static constexpr uint64_t kOfOctave[] = {uint64_t{1} << 63, DT_HQUANTIZE_BOUNDS(DT_NUMBER_OF_BOUND)};
#undef DT_NUMBER_OF_BOUND
    const auto octave = static_cast<unsigned>(power >> schema);
    const auto part = static_cast<std::size_t>(power - (int64_t{octave} << schema));
    return kOfOctave[part << (DT_HQUANTIZE_MAX_SCHEMA - schema)] >> (63 - octave);
}

} // namespace

bool HistogramShape::make_hquantize(const std::vector<int64_t>& parameters)
{
    if (parameters.empty() || parameters[0] < 0 || parameters[0] > DT_HQUANTIZE_MAX_SCHEMA)
        return false;
    const auto schema = static_cast<unsigned>(parameters[0]);
    const auto zero = static_cast<std::size_t>(DT_HQUANTIZE_SIDE(schema));
    rows_.resize(static_cast<std::size_t>(DT_HQUANTIZE_BUCKETS(schema)));
    rows_[zero] = {"0", 0, false, {0, 0}};
    uint64_t before = 0;
    for (std::size_t n = 1; n <= zero; ++n) {
        const uint64_t most = exponential_bound(static_cast<int64_t>(n) - 1, schema);
        const auto least = static_cast<int64_t>(before) + 1;
        const bool is_last = n == zero, is_ghost = most == before;
        Row& up = rows_[zero + n];
        Row& down = rows_[zero - n];
        up = {std::to_string(least), static_cast<long double>(least), is_ghost};
        down = {std::to_string(-least), -static_cast<long double>(least), is_ghost};
        if (!is_ghost) {
            const std::optional<int64_t> end = is_last ? std::nullopt : std::optional(static_cast<int64_t>(most));
            up.bounds = {least, end};
            down.bounds = {end ? std::optional(-*end) : std::nullopt, -least};
        }
        before = most;
    }
    has_sum_ = true;
    tie_ = zero;
    empty_ = {zero - 1, zero + 1};
    return true;
}

const std::string& HistogramShape::label(std::size_t bucket, bool negatives_shown) const
{
    return middle_ != 0 && bucket == middle_ && !negatives_shown ? middle_alone_ : rows_[bucket].label;
}

HistogramShape::Range HistogramShape::extend(std::size_t first_used, std::size_t last_used) const
{
    Range range{first_used, last_used};
    if (range.first > 0)
        --range.first;
    while (range.first > 0 && rows_[range.first].ghost)
        --range.first;
    if (range.last + 1 < rows_.size())
        ++range.last;
    while (range.last + 1 < rows_.size() && rows_[range.last].ghost)
        ++range.last;
    return range;
}

HistogramShape::Range HistogramShape::shown(Buckets buckets) const
{
    const auto used = [](int64_t count) { return count != 0; };
    const auto first = std::find_if(buckets.begin(), buckets.end(), used);
    if (first == buckets.end())
        return empty_;
    const auto last = std::find_if(buckets.rbegin(), buckets.rend(), used);
    return extend(static_cast<std::size_t>(first - buckets.begin()),
                  buckets.size() - 1 - static_cast<std::size_t>(last - buckets.rbegin()));
}

long double HistogramShape::weight(Buckets buckets) const
{
    long double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        sum += rows_[i].weight * static_cast<long double>(buckets[i]);
    return sum;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

void Bars::add(int64_t count)
{
    total_ += magnitude(count);
    largest_ = std::max(largest_, magnitude(count));
    positive_ |= count > 0;
    negative_ |= count < 0;
}

void Bars::append(Text& out, int64_t count) const
{
    const int columns = positive_ && negative_ ? columns_ / 2 : columns_;
    const long double scale = zoom_ ? largest_ : total_;
    std::size_t length = 0;
    if (scale > 0)
        length = static_cast<std::size_t>(std::floor(magnitude(count) * columns / scale + 0.5L));
    const std::size_t rest = static_cast<std::size_t>(columns) - length;
    const bool before_axis = negative_ && (!positive_ || count <= 0);
    if (before_axis) {
        out.fill(' ', rest);
        out.fill('@', length);
        out.append('|');
        out.fill(' ', static_cast<std::size_t>(columns_ - columns));
        return;
    }
    out.fill(' ', static_cast<std::size_t>(columns_ - columns));
    out.append('|');
    out.fill('@', length);
    out.fill(' ', rest);
}

int bar_columns(unsigned terminal)
{
    // Widths in columns. kClassic: the bar, if the output is not a terminal. kOther: all of a line except the bar.
    // kMin, kMax: limits of the bar's width on a terminal.
    constexpr int kClassic = 40, kOther = 40, kMin = 20, kMax = 120;
    return terminal == 0 ? kClassic : std::clamp(static_cast<int>(terminal) - kOther, kMin, kMax);
}

namespace {

void append_heading(Text& out, std::string_view what, std::string_view title, int columns, std::string_view numbers)
{
    out.append('\n');
    append_right(out, what, 16);
    out.append(' ');
    const std::size_t dashes = static_cast<std::size_t>(columns) - title.size();
    out.append(' ');
    out.fill('-', dashes / 2);
    out.append(title);
    out.fill('-', dashes - dashes / 2);
    out.append(' ');
    out.append(numbers);
    out.append('\n');
}

} // namespace

void append_distribution_heading(Text& out, std::string_view what, int columns)
{
    append_heading(out, what, kTitle, columns, "count    ");
}

namespace {

/// Draws the parts of a breakdown(), largest part first. Empty parts are skipped.
void append_breakdown(Text& out, const HistogramShape& shape, Buckets parts, const HistogramStyle& style)
{
    std::vector<std::size_t> order;
    Bars bars(style);
    long double whole = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0)
            continue;
        order.push_back(i);
        bars.add(parts[i]);
        whole += static_cast<long double>(parts[i]);
    }
    std::stable_sort(order.begin(), order.end(), [parts](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
    append_heading(out, "part", " Part of the time ", style.columns, "percent       time");
    for (const std::size_t i : order) {
        append_right(out, shape.label(i), 16);
        out.append(' ');
        bars.append(out, parts[i]);
        char percent[32];
        std::snprintf(percent, sizeof percent, " %7.2f ",
                      static_cast<double>(100 * static_cast<long double>(parts[i]) / whole));
        out.append(percent);
        append_right(out, std::to_string(divided(parts[i], style.divisor)), 10);
        out.append('\n');
    }
}

} // namespace

void append_histogram(Text& out, const HistogramShape& shape, Buckets buckets, const HistogramStyle& style)
{
    if (shape.has_parts())
        return append_breakdown(out, shape, buckets, style);
    const HistogramShape::Range range = shape.shown(buckets);
    Bars bars(style);
    for (std::size_t i = range.first; i <= range.last; ++i)
        bars.add(buckets[i]);
    const bool negatives = shape.is_negative(range.first);
    append_distribution_heading(out, "value", style.columns);
    for (std::size_t i = range.first; i <= range.last; ++i) {
        if (shape.is_ghost(i))
            continue;
        append_right(out, shape.label(i, negatives), 16);
        out.append(' ');
        bars.append(out, buckets[i]);
        out.append(' ');
        append_left(out, std::to_string(divided(buckets[i], style.divisor)), 9);
        out.append('\n');
    }
}

void append_packed_heading(Text& out, const HistogramShape& shape, const PackedColumns& columns)
{
    append_right(out, "key", 16);
    out.append(' ');
    append_right(out, "min", 12);
    out.append(" .");
    for (std::size_t i = columns.range.first; i <= columns.range.last; ++i)
        if (!shape.is_ghost(i))
            out.append('-');
    out.append(". ");
    append_left(out, "max", 12);
    out.append(" | count\n");
}

void append_packed(Text& out, const HistogramShape& shape, const PackedColumns& columns, std::string_view keys,
                   Buckets buckets, int64_t divisor)
{
    static constexpr const char* kBlocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                              "\u2585", "\u2586", "\u2587", "\u2588"};
    static constexpr const char* kPlain[] = {"_", ".", "-", "=", "+", "*", "#", "@"};
    const auto& levels = columns.utf8 ? kBlocks : kPlain;
    const bool negatives = shape.is_negative(columns.range.first);
    int64_t largest = 0, total = 0;
    for (const int64_t count : buckets) {
        largest = std::max(largest, count);
        total += count;
    }
    append_right(out, keys, 16);
    out.append(' ');
    append_right(out, shape.label(columns.range.first, negatives), 12);
    out.append(" :");
    for (std::size_t i = columns.range.first; i <= columns.range.last; ++i) {
        if (shape.is_ghost(i))
            continue;
        const int64_t count = buckets[i];
        if (count == 0) {
            out.append(' ');
        } else if (count < 0) {
            out.append('-');
        } else {
            const auto level = std::ceil(8.0L * static_cast<long double>(count) / static_cast<long double>(largest));
            out.append(levels[static_cast<std::size_t>(level) - 1]);
        }
    }
    out.append(": ");
    append_left(out, shape.label(columns.range.last, negatives), 12);
    out.append(" | ");
    append_signed(out, divided(total, divisor));
    out.append('\n');
}

} // namespace dt::format
