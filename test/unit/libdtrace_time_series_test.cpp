// Tests how values of tseries() are merged and printed (dtrace-aggregations(7), tseries), also if they are damaged.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace/results/time_series.hpp"

namespace {

using namespace dt;
using output::TimeSeries;
using Words = std::vector<int64_t>;
using Points = std::vector<std::pair<int64_t, std::optional<int64_t>>>; // start of an interval, and its value

constexpr int64_t kSecondNs = 1'000'000'000;

Words parameters(int64_t interval, int64_t count, AggKind function)
{
    return {interval, count, static_cast<int64_t>(function)};
}

TimeSeries series_of(int64_t interval, int64_t count, AggKind function)
{
    return TimeSeries::make(parameters(interval, count, function)).value();
}

/// Returns the slots of a value of a function with one word per interval.
Words value_of(std::size_t count, const std::map<int64_t, int64_t>& by_interval)
{
    Words words(count * 3);
    for (const auto& [interval, value] : by_interval) {
        const std::size_t at = static_cast<std::size_t>(interval) % count * 3;
        words[at] = words[at + 2] = interval + 1;
        words[at + 1] = value;
    }
    return words;
}

Points points_of(const TimeSeries& series, const Words& words)
{
    Points points;
    for (const TimeSeries::Point& point : series.points(words))
        points.emplace_back(point.time, point.words.empty()
                                            ? std::nullopt
                                            : std::optional(output::number_of(series.function(), point.words, 1)));
    return points;
}

TEST(TimeSeries, PointsRangeFromTheOldestToTheNewestIntervalWithAValue)
{
    const TimeSeries series = series_of(10, 5, AggKind::Sum);
    EXPECT_EQ(points_of(series, value_of(5, {})), Points());
    EXPECT_EQ(points_of(series, value_of(5, {{102, 1}, {104, 3}})),
              (Points{{1020, 1}, {1030, std::nullopt}, {1040, 3}}));
    // interval 98 is still in its slot, although it is older than the five intervals 100 to 104
    EXPECT_EQ(points_of(series, value_of(5, {{98, 7}, {101, 2}, {104, 3}})),
              (Points{{1010, 2}, {1020, std::nullopt}, {1030, std::nullopt}, {1040, 3}}));
}

TEST(TimeSeries, MergingAlignsIntervalsByTheirNumber)
{
    const TimeSeries series = series_of(10, 3, AggKind::Sum);
    Words words = value_of(3, {{10, 1}, {11, 2}, {12, 3}});
    series.combine(words, value_of(3, {{11, 10}, {12, 20}, {13, 30}}));
    EXPECT_EQ(points_of(series, words), (Points{{110, 12}, {120, 23}, {130, 30}}));
    series.combine(words, value_of(3, {{1, 5}, {2, 5}, {3, 5}}));
    EXPECT_EQ(points_of(series, words), (Points{{110, 12}, {120, 23}, {130, 30}})) << "old intervals are dropped";
}

/// Merges the values of four tracers in random order and compares the result with one tracer that has all values.
TEST(TimeSeries, ADividedRunHasTheIntervalsOfAnUndividedRun)
{
    constexpr std::size_t kCount = 8, kTracers = 4;
    std::mt19937_64 random(7);
    for (const AggKind function : {AggKind::Count, AggKind::Sum, AggKind::Min, AggKind::Max, AggKind::Avg})
        for (int round = 0; round < 300; ++round) {
            const TimeSeries series = series_of(100, kCount, function);
            const std::size_t value_words = function == AggKind::Avg ? 3 : 1;
            std::vector<Words> all(kTracers + 1, Words(series.words()));
            const auto store = [&](Words& words, int64_t interval, const Words& value) {
                Words own(series.words());
                const std::size_t at = static_cast<std::size_t>(interval) % kCount * (value_words + 2);
                own[at] = own[at + value_words + 1] = interval + 1;
                std::ranges::copy(value, own.begin() + static_cast<std::ptrdiff_t>(at) + 1);
                series.combine(words, own);
            };
            int64_t interval = 1000;
            for (uint64_t left = random() % 40; left > 0; --left) {
                interval += static_cast<int64_t>(random() % 3 == 0 ? random() % 5 : 0);
                const auto value = static_cast<int64_t>(random() % 1000) - 500;
                const Words stored =
                    function == AggKind::Avg ? Words{1, value, 0}
                    : function == AggKind::Min
                        ? Words{static_cast<int64_t>(uint64_t{INT64_MAX} - static_cast<uint64_t>(value))}
                    : function == AggKind::Max
                        ? Words{static_cast<int64_t>(static_cast<uint64_t>(value) + (uint64_t{1} << 63))}
                    : function == AggKind::Sum ? Words{value}
                                               : Words{1};
                store(all[random() % kTracers], interval, stored);
                store(all[kTracers], interval, stored);
            }
            std::vector<std::size_t> order{0, 1, 2, 3};
            std::ranges::shuffle(order, random);
            Words merged(series.words());
            for (const std::size_t tracer : order)
                output::combine_words(AggKind::Tseries, parameters(100, kCount, function), merged, all[tracer]);
            EXPECT_EQ(points_of(series, merged), points_of(series, all[kTracers]));
            EXPECT_EQ(series.whole(merged), series.whole(all[kTracers]));
        }
}

TEST(TimeSeries, DamagedSlotsAreSkipped)
{
    const TimeSeries series = series_of(10, 3, AggKind::Sum);
    Words words = value_of(3, {{9, 1}, {10, 2}, {11, 3}});
    words[2] = 0; // a slot between two intervals: its stamps differ
    EXPECT_EQ(points_of(series, words), (Points{{100, 2}, {110, 3}}));
    words[3] = words[5] = 13; // the interval 12 does not belong to slot 1
    EXPECT_EQ(points_of(series, words), (Points{{110, 3}}));
    words[6] = words[8] = INT64_MIN + 1; // the start of the interval does not fit into 64 bits
    EXPECT_EQ(points_of(series, words), Points());
    Words into = value_of(3, {{9, 1}});
    series.combine(into, words);
    EXPECT_EQ(into, value_of(3, {{9, 1}}));
}

TEST(TimeSeries, AnyWordsAreMergedAndPrinted)
{
    std::mt19937_64 random(11);
    for (const AggKind function : {AggKind::Sum, AggKind::Avg, AggKind::Min})
        for (int round = 0; round < 2000; ++round) {
            const TimeSeries series = series_of(1 + static_cast<int64_t>(random() >> random() % 63 >> 1), 4, function);
            Words words(series.words()), other(series.words());
            for (Words* const each : {&words, &other})
                for (int64_t& word : *each)
                    word = static_cast<int64_t>(random() >> random() % 64);
            series.combine(words, other);
            EXPECT_LE(series.points(words).size(), 4U);
            format::Text text;
            append_time_series(text, series, words, {});
        }
}

TEST(TimeSeries, ForeignParametersAreRefused)
{
    const auto is_refused = [](const Words& given) {
        AggregationSchema schema;
        schema.name = "a";
        for (const AggFunction& each : agg_functions())
            if (each.kind == AggKind::Tseries)
                schema.function = &each;
        schema.parameters = given;
        schema.words = 30;
        return !consume::AggregationTable::make(schema, false);
    };
    EXPECT_FALSE(is_refused({1, 10, 1}));
    EXPECT_FALSE(is_refused({1, 6, 2}));
    for (const Words& given : {Words{}, Words{1, 10}, Words{0, 10, 1}, Words{-1, 10, 1}, Words{1, 0, 1},
                               Words{1, -1, 1}, Words{1, 1001, 1}, Words{1, 801, 2}, Words{1, 10, 5}, Words{1, 10, -1},
                               Words{1, 10, 257}, Words{1, 9, 1}, Words{1, 10, 2}, Words{1, 10, 1, 1}})
        EXPECT_TRUE(is_refused(given)) << given.size();
}

TEST(TimeSeries, AMetricIsAGaugeOfTheNewestInterval)
{
    AggregationSchema schema;
    schema.name = "a";
    for (const AggFunction& each : agg_functions())
        if (each.kind == AggKind::Tseries)
            schema.function = &each;
    schema.parameters = parameters(10, 3, AggKind::Sum);
    schema.words = 9;
    const output::MetricSeries metric(schema, nullptr, PrintOptions(), 1);
    EXPECT_EQ(metric.kind(), output::MetricFamily::Kind::Gauge);
    EXPECT_EQ(metric.gauge(value_of(3, {{10, 5}, {11, -6}, {9, 7}})), -6);
}

TEST(TimeSeries, TheTextHasALineForEachIntervalInLocalTime)
{
    setenv("TZ", "UTC", 1);
    tzset();
    const TimeSeries series = series_of(kSecondNs / 2, 4, AggKind::Max);
    const auto stored = [](int64_t value) {
        return static_cast<int64_t>(static_cast<uint64_t>(value) + (uint64_t{1} << 63));
    };
    format::Text text;
    append_time_series(text, series, value_of(4, {{2 * 86'400, stored(20)}, {2 * 86'400 + 3, stored(40)}}), {10});
    EXPECT_EQ(text.view(), "\n"
                           "                     time  ---------------- Value ----------------- max\n"
                           "  1970-01-02 00:00:00.000 |@@@@@@@@@@@@@@@@@@@@                     2\n"
                           "  1970-01-02 00:00:00.500 |                                         -\n"
                           "  1970-01-02 00:00:01.000 |                                         -\n"
                           "  1970-01-02 00:00:01.500 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4\n");
}

} // namespace
