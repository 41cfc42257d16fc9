// Tests how the words of all CPUs are combined into one value (dtrace-aggregations(7), FUNCTIONS), and tests
// normalize() and clear() (dtrace-aggregations(7), PRINTING AND CHANGING).
#include "libdtrace_aggregate_support.hpp"

using namespace dt;
using dt::test::Aggregated;
using dt::test::Bytes;
using dt::test::number;

namespace {

// Encodes a minimum or maximum as it is stored in a map (abi.h).
int64_t stored_min(int64_t value)
{
    return static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(value));
}
int64_t stored_max(int64_t value)
{
    return static_cast<int64_t>(static_cast<uint64_t>(value) - static_cast<uint64_t>(INT64_MIN));
}

// Returns the printed value of an aggregation without keys, for the given words of each CPU.
std::string value_of(AggKind kind, std::vector<std::vector<int64_t>> cpus, int64_t divisor = 1)
{
    Aggregated a(static_cast<uint32_t>(cpus.size()));
    const uint32_t id = a.declare(kind);
    a.open();
    for (uint32_t cpu = 0; cpu < cpus.size(); ++cpu)
        if (!cpus[cpu].empty())
            a.store.add(id, nullptr, cpu, cpus[cpu]);
    a.aggregations.normalize(id, divisor);
    return a.printa({id});
}

std::string line(int64_t value)
{
    return number(value) + "\n";
}

} // namespace

TEST(AggregateValue, CountsAndSumsOfAllCpusAreAdded)
{
    EXPECT_EQ(value_of(AggKind::Count, {{3}, {4}}), line(7));
    EXPECT_EQ(value_of(AggKind::Sum, {{-3}, {1}}), line(-2));
}

TEST(AggregateValue, ASumWrapsAtSixtyFourBits)
{
    EXPECT_EQ(value_of(AggKind::Sum, {{INT64_MAX}, {1}}), line(INT64_MIN));
}

TEST(AggregateValue, AnAverageIsTruncatedTowardsZero)
{
    EXPECT_EQ(value_of(AggKind::Avg, {{1, -7, 0}, {1, 0, 0}}), line(-3));
    EXPECT_EQ(value_of(AggKind::Avg, {{0, 0, 0}, {}}), line(0));
}

TEST(AggregateValue, MinimumIgnoresCpusWithoutValues)
{
    EXPECT_EQ(value_of(AggKind::Min, {{stored_min(-3)}, {}}), line(-3));
    EXPECT_EQ(value_of(AggKind::Min, {{stored_min(5)}, {stored_min(-9)}}), line(-9));
    EXPECT_EQ(value_of(AggKind::Min, {{stored_min(INT64_MIN)}, {stored_min(0)}}), line(INT64_MIN));
}

TEST(AggregateValue, MaximumIgnoresCpusWithoutValues)
{
    EXPECT_EQ(value_of(AggKind::Max, {{}, {stored_max(-3)}}), line(-3));
    EXPECT_EQ(value_of(AggKind::Max, {{stored_max(5)}, {stored_max(-9)}}), line(5));
    EXPECT_EQ(value_of(AggKind::Max, {{stored_max(INT64_MAX)}, {}}), line(INT64_MAX));
}

// Values 2 4 4 4 on CPU 0 and 5 5 7 9 on CPU 1: the mean is 5, the sum of squares 232, the variance 232/8 - 25 = 4.
TEST(AggregateValue, StandardDeviationCombinesTheWordsOfAllCpus)
{
    EXPECT_EQ(value_of(AggKind::Stddev, {{4, 14, 0, 52, 0, 0}, {4, 26, 0, 180, 0, 0}}), line(2));
}

// In the first case, each of two CPUs has a sum of 2^63 - 1. In the other cases, the CPUs have the sums -2^64 and
// -2^63.
TEST(AggregateValue, TheAverageIsExactForSumsBeyondSixtyFourBits)
{
    EXPECT_EQ(value_of(AggKind::Avg, {{1, INT64_MAX, 0}, {1, INT64_MAX, 0}}), line(INT64_MAX));
    EXPECT_EQ(value_of(AggKind::Avg, {{2, 0, -1}, {1, INT64_MIN, 0}}), line(INT64_MIN));
    EXPECT_EQ(value_of(AggKind::Avg, {{2, 0, -1}, {1, INT64_MIN, 0}}, 4), line(INT64_MIN / 4));
}

// Four values of -2^63: the sum of their squares is 2^128, and the variance is 2^126 - (2^63)^2 = 0.
TEST(AggregateValue, StandardDeviationIsExactForTheMinimumOfInt64)
{
    const int64_t quarter = int64_t{1} << 62;
    EXPECT_EQ(value_of(AggKind::Stddev, {{2, 0, -1, 0, INT64_MIN, 0}, {2, 0, -1, 0, INT64_MIN, 0}}), line(0));
    // Two values of INT64_MIN and two of 0: the variance is 2^127 / 4 - (2^62)^2 = 2^124.
    EXPECT_EQ(value_of(AggKind::Stddev, {{2, 0, -1, 0, INT64_MIN, 0}, {2, 0, 0, 0, 0, 0}}), line(quarter));
}

// clear() stores the words of each CPU. Later values subtract them separately for each CPU, and this subtraction may
// wrap, too.
TEST(AggregateValue, ClearSubtractsSumsBeyondSixtyFourBitsExactly)
{
    Aggregated a(1);
    const uint32_t mean = a.declare(AggKind::Avg), spread = a.declare(AggKind::Stddev);
    a.open();
    // two values of INT64_MAX (count, low and high word of the sum)
    a.store.add(mean, nullptr, 0, {2, -2, 1});
    // four values of INT64_MIN: count, sum in two words, sum of squares in three words
    a.store.add(spread, nullptr, 0, {4, 0, -2, 0, 0, 1});
    a.pass();
    ASSERT_TRUE(a.aggregations.clear(mean));
    ASSERT_TRUE(a.aggregations.clear(spread));
    a.store.add(mean, nullptr, 0, {1, INT64_MIN, -1});      // after clear(), one value of INT64_MIN was added
    a.store.add(spread, nullptr, 0, {2, 14, 0, 106, 0, 0}); // after clear(), the values 5 and 9 were added
    a.pass();
    EXPECT_EQ(a.printa({mean}), line(INT64_MIN));
    EXPECT_EQ(a.printa({spread}), line(2));
}

// The low words of the sums of squares are 2^63 on both CPUs, so adding them carries into the next word.
TEST(AggregateValue, TheStandardDeviationIsExactIfAWordOfItsSumOverflows)
{
    const int64_t half = INT64_MIN; // as an unsigned word, this number is 2^63
    // One value was counted, with the sum 0 and the sum of squares 2^64, so the deviation is 2^32.
    EXPECT_EQ(value_of(AggKind::Stddev, {{1, 0, 0, half, 0, 0}, {0, 0, 0, half, 0, 0}}), line(4294967296));
}

TEST(AggregateValue, TheStandardDeviationWithoutValuesIsZero)
{
    EXPECT_EQ(value_of(AggKind::Stddev, {{0, 0, 0, 0, 0, 0}, {}}), line(0));
}

TEST(AggregateValue, NormalizationDividesTheValue)
{
    EXPECT_EQ(value_of(AggKind::Sum, {{-50}, {}}, 7), line(-7));
    EXPECT_EQ(value_of(AggKind::Sum, {{50}, {}}, -1), line(-50));
    EXPECT_EQ(value_of(AggKind::Sum, {{50}, {}}, 0), line(50)) << "a divisor of 0 counts as 1";
    EXPECT_EQ(value_of(AggKind::Avg, {{2, 100, 0}, {}}, 10), line(5));
}

TEST(AggregateValue, NormalizationDoesNotAccumulate)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum);
    a.open();
    a.store.add(id, nullptr, 0, {100});
    a.aggregations.normalize(id, 10);
    a.aggregations.normalize(id, 5);
    EXPECT_EQ(a.printa({id}), line(20));
    a.aggregations.normalize(id, 1);
    EXPECT_EQ(a.printa({id}), line(100));
}

TEST(AggregateValue, AnAggregationWithoutCountsHasNoEntry)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Count);
    a.store.add(id, nullptr, 0, {0});
    a.store.zero(AggregationSchema{});
    a.open();
    EXPECT_EQ(a.printa({id}), "");
}

TEST(AggregateClear, KeysRemainAfterClearWithTheirInitialValue)
{
    Aggregated a;
    const Bytes key = Bytes().integer<int64_t>(1);
    const uint32_t sum = a.declare(AggKind::Sum, key), min = a.declare(AggKind::Min, key),
                   max = a.declare(AggKind::Max, key);
    a.open();
    a.add(sum, key, 5);
    a.add(min, key, stored_min(5));
    a.add(max, key, stored_max(5));
    for (const uint32_t id : {sum, min, max})
        ASSERT_TRUE(a.aggregations.clear(id));
    EXPECT_EQ(a.printa({sum}), number(1) + line(0));
    EXPECT_EQ(a.printa({min}), number(1) + line(INT64_MAX));
    EXPECT_EQ(a.printa({max}), number(1) + line(INT64_MIN));
    EXPECT_EQ(a.store.keys(sum), 0u) << "the kernel's map has room again";
}

TEST(AggregateClear, CountsStartAtZeroAgainAfterClear)
{
    Aggregated a;
    const Bytes key = Bytes().integer<int64_t>(1);
    const uint32_t id = a.declare(AggKind::Count, key);
    a.open();
    a.add(id, key, 5);
    ASSERT_TRUE(a.aggregations.clear(id));
    a.add(id, key, 2, 1);
    a.pass();
    EXPECT_EQ(a.printa({id}), number(1) + line(2));
}

TEST(AggregateClear, WithoutKeysLaterPassesShowOnlyValuesAddedAfterClear)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum);
    a.open();
    a.store.add(id, nullptr, 0, {7});
    ASSERT_TRUE(a.aggregations.clear(id));
    EXPECT_EQ(a.printa({id}), line(0));
    a.store.add(id, nullptr, 1, {4});
    a.pass();
    EXPECT_EQ(a.printa({id}), line(4));
}

TEST(AggregateClear, AMinimumOrMaximumWithoutKeysStartsAgain)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Max);
    a.open();
    a.store.add(id, nullptr, 0, {stored_max(100)});
    ASSERT_TRUE(a.aggregations.clear(id));
    EXPECT_EQ(a.printa({id}), line(INT64_MIN));
    a.store.add(id, nullptr, 0, {stored_max(3)});
    a.pass();
    EXPECT_EQ(a.printa({id}), line(3));
}

TEST(AggregateTrunc, RemovesAllKeys)
{
    Aggregated a;
    const Bytes key = Bytes().integer<int64_t>(1);
    const uint32_t id = a.declare(AggKind::Count, key);
    a.open();
    a.add(id, key, 5);
    ASSERT_TRUE(a.aggregations.truncate(id, 0));
    EXPECT_EQ(a.printa({id}), "");
    EXPECT_EQ(a.store.keys(id), 0u);
}

TEST(AggregateTrunc, KeepsTheEntriesWithTheHighestOrLowestValues)
{
    for (const auto& [keep, expected] : {std::pair{2, number(2) + line(20) + number(3) + line(30)},
                                         std::pair{-1, number(1) + line(10)}, std::pair{9, std::string()}}) {
        Aggregated a;
        const Bytes shape = Bytes().integer<int64_t>(0);
        const uint32_t id = a.declare(AggKind::Sum, shape);
        a.open();
        for (const int64_t key : {3, 1, 2})
            a.add(id, Bytes().integer(key), key * 10);
        ASSERT_TRUE(a.aggregations.truncate(id, keep));
        const std::string printed = a.printa({id});
        if (keep == 9)
            EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 3);
        else
            EXPECT_EQ(printed, expected);
    }
}

TEST(AggregateTrunc, AnEntryWithoutKeysIsHiddenUntilItsValueChanges)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Count);
    a.open();
    a.store.add(id, nullptr, 0, {5});
    ASSERT_TRUE(a.aggregations.truncate(id, 0));
    a.pass();
    EXPECT_EQ(a.printa({id}), "");
    a.store.add(id, nullptr, 0, {2});
    a.pass();
    EXPECT_EQ(a.printa({id}), line(2));
}

TEST(AggregateSnapshot, IsTakenOncePerPassOnDemand)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Count);
    a.open();
    a.store.add(id, nullptr, 0, {5});
    a.pass();
    EXPECT_EQ(a.store.reads, 0);
    a.printa({id});
    a.store.add(id, nullptr, 0, {1});
    EXPECT_EQ(a.printa({id}), line(5));
    EXPECT_EQ(a.store.reads, 1);
}

TEST(AggregateSnapshot, TheAggrateOptionAppliesExceptInTheLastPass)
{
    Aggregated a;
    a.options.put("aggrate", "1000");
    const uint32_t id = a.declare(AggKind::Count);
    a.open();
    a.store.add(id, nullptr, 0, {5});
    a.pass(5000);
    EXPECT_EQ(a.printa({id}), line(5));
    a.store.add(id, nullptr, 0, {1});
    a.pass(5999);
    EXPECT_EQ(a.printa({id}), line(5));
    a.pass(6000);
    EXPECT_EQ(a.printa({id}), line(6));
    a.store.add(id, nullptr, 0, {1});
    a.pass(6001, true);
    EXPECT_EQ(a.printa({id}), line(7));
}

TEST(AggregateSnapshot, TheValuesOfThousandsOfKeysAreAllRead)
{
    Aggregated a(1);
    const uint32_t id = a.declare(AggKind::Sum, Bytes().integer<int64_t>(0));
    a.open();
    for (int64_t key = 0; key < 5000; ++key)
        a.add(id, Bytes().integer(key), key);
    std::string expected;
    for (int64_t key = 0; key < 5000; ++key)
        expected += number(key) + line(key);
    EXPECT_EQ(a.printa({id}), expected);
}

TEST(AggregateEstimates, CountsAndSumsAreCorrectedAtTheEnd)
{
    Aggregated a;
    const Bytes key = Bytes().integer<int64_t>(1);
    const uint32_t count = a.declare(AggKind::Count), sum = a.declare(AggKind::Sum, key);
    const uint32_t most = a.declare(AggKind::Max), exact = a.declare(AggKind::Count);
    a.open();
    a.store.add(count, nullptr, 0, {1000});
    // the printed total is 1010 * 0.9, because this sampled program has the correction factor 0.9
    a.store.add(count, nullptr, 1, {10});
    a.add(sum, key, -205); // the printed sum is -184.5, because this sampled program has the correction factor 0.9
    a.store.add(exact, nullptr, 0, {7});
    a.store.add(most, nullptr, 0, {stored_max(50)});
    a.pass();
    EXPECT_EQ(a.printa({count}), line(1010));
    a.aggregations.correct_by({0.9, 0.9, 0.9, 1});
    a.pass(1, true);
    EXPECT_EQ(a.printa({count}), line(909));
    EXPECT_EQ(a.printa({sum}), number(1) + line(-185));
    EXPECT_EQ(a.printa({most}), line(50));
    EXPECT_EQ(a.printa({exact}), line(7));
}

TEST(AggregateEstimates, ClearedValuesAreNotCorrected)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Count);
    a.open();
    a.store.add(id, nullptr, 0, {1000});
    a.pass();
    ASSERT_TRUE(a.aggregations.clear(id));
    a.store.add(id, nullptr, 0, {100});
    a.aggregations.correct_by({0.5});
    a.pass(1, true);
    EXPECT_EQ(a.printa({id}), line(100));
}

TEST(AggregateSchema, ASchemaWithWrongSizesIsRefused)
{
    Aggregated a;
    a.declare(AggKind::Quantize);
    a.schemas[0].words = 126;
    EXPECT_FALSE(a.aggregations.open(a.schemas, a.store));
}
