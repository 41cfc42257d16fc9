#include "libdtrace/results/time_series.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/results/aggregation.hpp"

namespace dt::output {

Result<TimeSeries> TimeSeries::make(const std::vector<int64_t>& parameters)
{
    const Error bad{"the parameters of tseries() are invalid"};
    if (parameters.size() != 3 || parameters[0] <= 0 || parameters[2] < 0 ||
        parameters[2] > std::numeric_limits<uint8_t>::max())
        return bad;
    TimeSeries series;
    series.interval_ = parameters[0];
    series.function_ = static_cast<AggKind>(parameters[2]);
    const int64_t most = series.function_ == AggKind::Avg ? DT_TSERIES_MAX_AVG : DT_TSERIES_MAX;
    if (!is_interval_function(series.function_) || parameters[1] < 1 || parameters[1] > most)
        return bad;
    series.count_ = static_cast<std::size_t>(parameters[1]);
    return series;
}

std::optional<TimeSeries> TimeSeries::of(const AggregationSchema& schema)
{
    if (!schema.function || schema.function->kind != AggKind::Tseries)
        return std::nullopt;
    const Result<TimeSeries> made = make(schema.parameters);
    return made ? std::optional(made.value()) : std::nullopt;
}

std::size_t TimeSeries::value_words() const
{
    return function_ == AggKind::Avg ? DT_AVG_WORDS : 1;
}

std::size_t TimeSeries::slot_words() const
{
    return DT_TSERIES_SLOT_WORDS(value_words());
}

uint64_t TimeSeries::stamp(Words words, std::size_t slot) const
{
    const Words own = words.subspan(slot * slot_words(), slot_words());
    const auto stamp = static_cast<uint64_t>(own.front());
    // The stamps are checked, because a program or a damaged message may leave wrong ones. Times beyond 64 bits cannot
    // be printed.
    const bool is_valid = own.front() == own.back() && stamp != 0 && (stamp - 1) % count_ == slot &&
                          stamp - 1 <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / interval_);
    return is_valid ? stamp : 0;
}

std::vector<TimeSeries::Point> TimeSeries::points(Words words) const
{
    uint64_t newest = 0;
    for (std::size_t slot = 0; slot < count_; ++slot)
        newest = std::max(newest, stamp(words, slot));
    if (newest == 0)
        return {};
    uint64_t oldest = newest;
    for (std::size_t slot = 0; slot < count_; ++slot)
        if (const uint64_t own = stamp(words, slot); own != 0 && newest - own < count_)
            oldest = std::min(oldest, own);
    std::vector<Point> points;
    for (uint64_t next = oldest; next <= newest; ++next) {
        const std::size_t slot = (next - 1) % count_;
        Point& point = points.emplace_back();
        point.time = static_cast<int64_t>(next - 1) * interval_;
        if (stamp(words, slot) == next)
            point.words = words.subspan(slot * slot_words() + 1, value_words());
    }
    return points;
}

void TimeSeries::combine(std::span<int64_t> into, Words from) const
{
    for (std::size_t slot = 0; slot < count_; ++slot) {
        const uint64_t added = stamp(from, slot), known = stamp(into, slot);
        const std::size_t at = slot * slot_words();
        if (added == 0 || added < known)
            continue;
        if (added == known)
            combine_words(function_, into.subspan(at + 1, value_words()), from.subspan(at + 1, value_words()));
        else
            std::ranges::copy(from.subspan(at, slot_words()), into.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

std::vector<int64_t> TimeSeries::whole(Words words) const
{
    std::vector<int64_t> whole(value_words());
    for (const Point& point : points(words))
        if (!point.words.empty())
            combine_words(function_, whole, point.words);
    return whole;
}

void TimeSeries::scale(std::span<int64_t> words, double factor) const
{
    if (function_ != AggKind::Count && function_ != AggKind::Sum)
        return;
    for (std::size_t slot = 0; slot < count_; ++slot) {
        int64_t& value = words[slot * slot_words() + 1];
        value = static_cast<int64_t>(std::llround(static_cast<double>(value) * factor));
    }
}

namespace {

/// Returns the number of decimals of a second that the starts of the intervals need.
unsigned start_decimals(int64_t interval)
{
    const auto length = static_cast<uint64_t>(interval);
    return length % kSecond == 0 ? 0 : length % 1'000'000 == 0 ? 3 : length % 1'000 == 0 ? 6 : 9;
}

std::string_view function_name(AggKind kind)
{
    for (const AggFunction& each : agg_functions())
        if (each.kind == kind)
            return each.name;
    return {};
}

std::string local_start(int64_t ns, unsigned decimals)
{
    const time_t seconds = ns / static_cast<int64_t>(kSecond);
    tm local{};
    localtime_r(&seconds, &local);
    char text[32];
    std::string time(text, std::strftime(text, sizeof text, "%F %T", &local));
    if (decimals != 0) {
        const std::string digits = std::to_string(ns % static_cast<int64_t>(kSecond));
        time += "." + (std::string(9 - digits.size(), '0') + digits).substr(0, decimals);
    }
    return time;
}

} // namespace

void append_time_series(format::Text& out, const TimeSeries& series, TimeSeries::Words words,
                        const format::HistogramStyle& style)
{
    const std::vector<TimeSeries::Point> points = series.points(words);
    const unsigned decimals = start_decimals(series.interval());
    const std::size_t width = 2 + local_start(0, decimals).size();
    const auto value_of = [&](const TimeSeries::Point& point, int64_t divisor) {
        return point.words.empty() ? 0 : number_of(series.function(), point.words, divisor);
    };
    // A bar shows a part of the largest value: a part of the sum has no meaning for averages and extremes.
    format::Bars bars({style.divisor, true, style.columns});
    for (const TimeSeries::Point& point : points)
        bars.add(value_of(point, 1));
    const bool adds_up = series.function() == AggKind::Count || series.function() == AggKind::Sum;
    out.append('\n');
    format::append_right(out, "time", width);
    constexpr std::string_view kTitle = " Value ";
    const std::size_t dashes = static_cast<std::size_t>(style.columns) - kTitle.size();
    out.append("  ");
    out.fill('-', dashes / 2);
    out.append(kTitle);
    out.fill('-', dashes - dashes / 2);
    out.append(' ');
    out.append(function_name(series.function()));
    out.append('\n');
    for (const TimeSeries::Point& point : points) {
        format::append_right(out, local_start(point.time, decimals), width);
        out.append(' ');
        bars.append(out, value_of(point, 1));
        out.append(' ');
        out.append(point.words.empty() && !adds_up ? "-" : std::to_string(value_of(point, style.divisor)));
        out.append('\n');
    }
}

} // namespace dt::output
