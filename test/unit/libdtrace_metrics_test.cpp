// Tests aggregations as metrics (dtrace-aggregations(7), METRICS). Tests the bounds of all histogram buckets. Metric
// series must never decrease or lose counts, even after clear(), truncation, limits and expiry.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "bpf-runtime/abi.h"
#include "libdtrace/metrics/metric_messages.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace_aggregate_support.hpp"

using namespace dt;
using namespace dt::output;

namespace {

/// An aggregation whose data the tests set. It has an integer key or no key.
class Table final : public output::Aggregation {
public:
    explicit Table(AggKind kind, bool has_key, std::vector<int64_t> parameters = {})
    {
        own_.name = "m";
        own_.function = test::function(kind);
        own_.metric.name = "m";
        own_.metric.is_signed = true;
        own_.words = 1;
        if (kind == AggKind::Avg || kind == AggKind::Stddev)
            own_.words = kind == AggKind::Avg ? DT_AVG_WORDS : DT_STDDEV_WORDS;
        if (auto shape = format::HistogramShape::make(kind, parameters)) {
            shape_ = std::move(shape.value());
            own_.words = static_cast<uint32_t>(shape_->words());
        }
        if (has_key) {
            own_.keys.push_back({Datum::Kind::Unsigned, 0, 8});
            own_.key_size = 8;
            own_.metric.labels = {"k"};
        }
        schema_ = &own_;
    }
    AggregationSchema& schema() { return own_; }

    void show(const std::map<uint64_t, std::vector<int64_t>>& entries, const std::vector<int64_t>& gone = {},
              bool expires_keys = false)
    {
        keys_.clear();
        values_.clear();
        count_ = entries.size();
        expired_words_ = gone;
        expires_keys_ = expires_keys;
        expired_key_.resize(own_.key_size);
        for (const auto& [key, words] : entries) {
            const auto* const bytes = reinterpret_cast<const uint8_t*>(&key);
            keys_.insert(keys_.end(), bytes, bytes + own_.key_size);
            values_.insert(values_.end(), words.begin(), words.end());
        }
    }

private:
    AggregationSchema own_;
};

PrintOptions ten_series()
{
    PrintOptions options;
    options.maxseries = 10;
    return options;
}

/// Returns the values of a metrics page, by the name of each metric sample with its labels.
std::map<std::string, std::string> samples_of(const MetricSeries& series,
                                              Exposition exposition = Exposition::Prometheus)
{
    MetricPage page(exposition);
    series.append(page, "", false);
    std::map<std::string, std::string> samples;
    std::istringstream lines{page.text()};
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('#')) {
            const std::size_t blank = line.rfind(' ');
            EXPECT_TRUE(samples.emplace(line.substr(0, blank), line.substr(blank + 1)).second) << line;
        }
    return samples;
}

std::map<std::string, std::string> samples_of(Table& table, std::vector<int64_t> words)
{
    test::Surroundings world;
    MetricSeries series(table.schema(), table.shape(), ten_series(), 1);
    table.show({{0, std::move(words)}});
    series.update(table, world.env, 2);
    return samples_of(series);
}

/// Counts one value in bucket `at` of the aggregation. Expects that the metric counts it in every bucket with an upper
/// bound of at least `value`, and in no other.
void expect_bound(Table& table, std::size_t at, int64_t value)
{
    std::vector<int64_t> words(table.shape()->words());
    words[at] = 1;
    std::map<long double, std::string> bounds;
    for (const auto& [name, count] : samples_of(table, words))
        if (const std::size_t le = name.find("le=\""); le != std::string::npos && name.find("Inf") == std::string::npos)
            bounds.emplace(std::stold(name.substr(le + 4)), count);
    ASSERT_FALSE(bounds.empty());
    for (const auto& [bound, count] : bounds)
        EXPECT_EQ(count, static_cast<long double>(value) <= bound ? "1" : "0") << value << " at " << bound;
}

std::string number_text(int64_t number, unsigned decimals)
{
    format::Text text;
    append_metric_number(text, number, decimals);
    return std::string(text.view());
}

} // namespace

TEST(Metrics, BoundsOfQuantizeAreExactAtBothEnds)
{
    Table table(AggKind::Quantize, false);
    for (int power = 0; power <= 62; ++power) {
        const int64_t low = int64_t{1} << power, high = low + (low - 1);
        const auto up = static_cast<std::size_t>(DT_QUANTIZE_ZERO + 1 + power);
        const auto down = static_cast<std::size_t>(DT_QUANTIZE_ZERO - 1 - power);
        for (const int64_t value : {low, high}) {
            expect_bound(table, up, value);
            expect_bound(table, down, -value);
        }
    }
    expect_bound(table, DT_QUANTIZE_ZERO, 0);
}

TEST(Metrics, BoundsOfOtherHistogramsEqualTheBoundsOfTheirBuckets)
{
    for (const auto& [kind, parameters] :
         std::vector<std::pair<AggKind, std::vector<int64_t>>>{{AggKind::Lquantize, {-10, 95, 10}},
                                                               {AggKind::Lquantize, {0, 10, 1}},
                                                               {AggKind::Llquantize, {10, 0, 6, 20}},
                                                               {AggKind::Llquantize, {2, 0, 61, 2}},
                                                               {AggKind::Hquantize, {0}},
                                                               {AggKind::Hquantize, {2}}}) {
        Table table(kind, false, parameters);
        for (std::size_t i = 0; i < table.shape()->size(); ++i) {
            const auto bounds = table.shape()->bounds(i);
            if (bounds.low)
                expect_bound(table, i, *bounds.low);
            if (bounds.high)
                expect_bound(table, i, *bounds.high);
        }
    }
}

TEST(Metrics, TheCountOfAHistogramIsTheSumOfItsBuckets)
{
    Table table(AggKind::Quantize, false);
    std::vector<int64_t> words(DT_QUANTIZE_BUCKETS, 2);
    auto samples = samples_of(table, words);
    EXPECT_EQ(samples["m_count"], "254");
    EXPECT_EQ(samples["m_bucket{le=\"+Inf\"}"], "254");
    EXPECT_EQ(samples["m_bucket{le=\"0.0\"}"], "128");
    EXPECT_EQ(samples["m_bucket{le=\"-4611686018427387904.0\"}"], "2");
    EXPECT_EQ(samples["m_bucket{le=\"4611686018427387903.0\"}"], "252");
    table.schema().metric.range = {-1, 7};
    samples = samples_of(table, words);
    EXPECT_EQ(samples.size(), 5U + 2U); // lines for the bounds -1, 0, 1, 3 and 7, for +Inf, and for the count
}

TEST(Metrics, HquantizeUsesPowersOfTwoUnlessARangeIsGiven)
{
    Table table(AggKind::Hquantize, false, {5});
    std::vector<int64_t> words(table.shape()->words(), 1);
    auto samples = samples_of(table, words);
    // lines for the bounds -2^62 - 1 to -2, -1, 0, and 1 to 2^62, for +Inf, and for the count
    EXPECT_EQ(samples.size(), 64U + 1 + 63 + 2);
    EXPECT_EQ(samples["m_count"], std::to_string(table.shape()->size()));
    EXPECT_EQ(samples["m_bucket{le=\"1.0\"}"], std::to_string(table.shape()->size() / 2 + 2));
    table.schema().metric.is_signed = false;
    table.schema().metric.range = {60, 70};
    samples = samples_of(table, words);
    EXPECT_EQ(samples["m_sum"], "1");
    // lines for each bound in the metric's range, for +Inf, for the count and for the sum
    EXPECT_EQ(samples.size(), 7U + 3U);
}

TEST(Metrics, NumbersArePrintedWithAllDigits)
{
    EXPECT_EQ(number_text(INT64_MIN, 0), "-9223372036854775808");
    EXPECT_EQ(number_text(INT64_MIN, 9), "-9223372036.854775808");
    EXPECT_EQ(number_text(1'500'000'000, 9), "1.5");
    EXPECT_EQ(number_text(-7, 9), "-0.000000007");
    EXPECT_EQ(number_text(0, 6), "0");
    format::Text text;
    append_metric_wide(text, std::vector<int64_t>{0, 1}, true);
    text.append(' ');
    append_metric_wide(text, std::vector<int64_t>{-1, -1}, true);
    text.append(' ');
    append_metric_wide(text, std::vector<int64_t>{-1, -1, -1}, false);
    EXPECT_EQ(text.view(), "18446744073709551616 -1 6277101735386680763835789423207666416102355444464034512895");
}

TEST(Metrics, AveragesAndDeviationsAreExportedAsTheirSums)
{
    Table average(AggKind::Avg, false), deviation(AggKind::Stddev, false);
    auto samples = samples_of(average, {3, -7, 0});
    EXPECT_EQ(samples["m_sum"], "-7");
    EXPECT_EQ(samples["m_count"], "3");
    deviation.schema().metric.decimals = 9;
    samples = samples_of(deviation, {2, 1'000'000'000, 0, 0, 1, 0});
    EXPECT_EQ(samples["m_sum"], "1");
    EXPECT_EQ(samples["m_squares_total"], "18.446744073709551616");
}

TEST(Metrics, PartsOfBreakdownAreExportedAsCounters)
{
    Table parts(AggKind::Breakdown, false);
    std::vector<int64_t> words(parts.shape()->size());
    words.front() = 1'500'000'000;
    parts.schema().metric.decimals = 9;
    auto samples = samples_of(parts, words);
    EXPECT_EQ(samples.size(), words.size());
    EXPECT_EQ(samples["m_total{part=\"user\"}"], "1.5");
    EXPECT_EQ(samples["m_total{part=\"other\"}"], "0");
}

TEST(Metrics, AMinimumOrMaximumWithoutAValueIsNotExported)
{
    Table most(AggKind::Max, false);
    EXPECT_TRUE(samples_of(most, {0}).empty());
    EXPECT_EQ(samples_of(most, {int64_t{-9} - INT64_MIN})["m"], "-9");
}

TEST(Metrics, LabelsAreEscaped)
{
    format::Text labels;
    append_metric_label(labels, "a", "q\"b\\n\n\xff\xc3\xa9");
    append_metric_label(labels, "b", "");
    EXPECT_EQ(labels.view(), "a=\"q\\\"b\\\\n\\n\xef\xbf\xbd\xc3\xa9\",b=\"\"");
}

TEST(Metrics, LabelNamesAreUniqueInASample)
{
    test::Surroundings world;
    Table table(AggKind::Count, true);
    for (const char* taken : {"script", "team"}) {
        PrintOptions options = ten_series();
        options.labels = {{"team", "web"}, {"le", "1"}, {"cause", "2"}, {"key1", "3"}};
        table.schema().metric.labels = {taken};
        MetricSeries series(table.schema(), table.shape(), options, 1);
        table.show({{7, {1}}});
        series.update(table, world.env, 2);
        EXPECT_EQ(samples_of(series).begin()->first, "m_total{key1_=\"7\"}");
        EXPECT_EQ(common_labels(options, "s"), "script=\"s\",team=\"web\",key1=\"3\"");
    }
}

TEST(Metrics, MetricsWithTheSameNameButDifferentKindsAreSeparate)
{
    MetricPage page(Exposition::OpenMetrics);
    MetricFamily& first = page.family("m", MetricFamily::Kind::Counter, "", "h");
    EXPECT_EQ(&page.family("m", MetricFamily::Kind::Counter, "", "h"), &first);
    EXPECT_EQ(page.family("m", MetricFamily::Kind::Gauge, "", "h", "max").name(), "m_max");
}

namespace {

/// Each step adds random values, may call clear() or trunc(), and lets keys expire. Then it reads a metrics page.
struct Life {
    Life(AggKind kind, bool expires_keys_) : table(kind, true), expires_keys(expires_keys_) {}

    Table table;
    const bool expires_keys;
    std::mt19937 random{7};
    test::Surroundings world;
    MetricSeries series{table.schema(), table.shape(), ten_series(), 1};
    std::map<uint64_t, std::vector<int64_t>> entries;
    std::vector<int64_t> gone;
    int64_t total = 0;
    uint64_t now = 2;
    std::map<std::string, int64_t> told;

    void show() { table.show(entries, gone, expires_keys); }
    void look(MetricSeries::Leaving leaving = MetricSeries::Leaving::Now)
    {
        show();
        series.update(table, world.env, ++now, leaving);
    }
    void fire()
    {
        const auto count = static_cast<int64_t>(random() % 5);
        auto& words = entries[random() % 40];
        words.resize(1);
        words[0] += count;
        total += count;
    }
    void leave(uint64_t key)
    {
        if (const auto found = entries.find(key); found != entries.end()) {
            gone.resize(1);
            gone[0] += found->second[0];
            entries.erase(found);
        }
    }
    void take_away(bool with_keys)
    {
        look(MetricSeries::Leaving::Later);
        for (auto& [key, words] : entries)
            words[0] = 0;
        if (with_keys)
            std::erase_if(entries, [](const auto& each) { return each.first % 2 == 0; });
        gone.clear();
        show();
        series.was_emptied(table, world.env);
    }
    void read()
    {
        look();
        std::map<std::string, int64_t> now_told;
        int64_t sum = 0;
        for (const auto& [name, text] : samples_of(series)) {
            now_told[name] = std::stoll(text);
            sum += now_told[name];
        }
        EXPECT_EQ(sum, total);
        EXPECT_LE(now_told.size(), 12U);
        for (const auto& [name, value] : told)
            if (now_told.contains(name)) {
                EXPECT_GE(now_told[name], value) << name;
            }
        told = now_told;
    }
};

} // namespace

TEST(Metrics, CountersNeverDecreaseAndLoseNoHits)
{
    for (const bool expires_keys : {false, true}) {
        Life life(AggKind::Count, expires_keys);
        for (int step = 0; step < 3000; ++step) {
            for (unsigned i = life.random() % 8; i > 0; --i)
                life.fire();
            if (life.random() % 7 == 0)
                life.take_away(life.random() % 2 == 0);
            if (expires_keys && life.random() % 3 == 0)
                life.leave(life.random() % 40);
            if (life.random() % 2 == 0)
                life.read();
        }
        life.read();
    }
}
