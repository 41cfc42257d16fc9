// Tests printa(), printing at exit, and sorting: dtrace-aggregations(7), PRINTING AND CHANGING.
#include "libdtrace_aggregate_support.hpp"

using namespace dt;
using dt::test::Aggregated;
using dt::test::Bytes;
using dt::test::number;
using dt::test::text_line;

namespace {

// Two aggregations: @k["abc", 1] = sum(10), @k["de", 2] = sum(3), and @j["de", 2] = count(). @j lacks the first key of
// @k.
struct Sample : Aggregated {
    Sample()
    {
        const Bytes abc = key("abc", 1), de = key("de", 2);
        k = declare(AggKind::Sum, abc);
        j = declare(AggKind::Count, abc);
        open();
        add(k, abc, 10);
        add(k, de, 3);
        add(j, de, 1);
    }
    static Bytes key(const std::string& text, int64_t value) { return Bytes().text(text, 16).integer(value); }
    uint32_t k, j;
};

// One aggregation with the keys 1, 2 and 3 and the given values.
struct Three : Aggregated {
    explicit Three(std::vector<int64_t> values, AggKind kind = AggKind::Sum)
    {
        id = declare(kind, Bytes().integer<int64_t>(0));
        open();
        for (std::size_t i = 0; i < values.size(); ++i)
            add(id, Bytes().integer(static_cast<int64_t>(i + 1)), values[i]);
    }
    // Returns the keys, each a single digit, in the order in which they are printed.
    std::string order() { return printa("%d", {id}); }
    uint32_t id;
};

} // namespace

TEST(Printa, WithoutAFormatEachKeyIsPrintedOnItsOwnLine)
{
    Sample s;
    EXPECT_EQ(s.printa({s.k}), text_line("de", number(2) + number(3)) + text_line("abc", number(1) + number(10)));
}

TEST(Printa, SeveralAggregationsAreJoinedByKey)
{
    Sample s;
    EXPECT_EQ(s.printa({s.k, s.j}), text_line("de", number(2) + number(3) + number(1)) +
                                        text_line("abc", number(1) + number(10) + number(0)));
}

TEST(Printa, ANameStoredAsAnIdEqualsTheSameString)
{
    Aggregated a;
    a.names = {"", "read"};
    const uint32_t one = 1;
    const Bytes name = Bytes().bytes(&one, 4, Datum::Kind::Name, 4), text = Bytes().text("read", 8);
    const uint32_t x = a.declare(AggKind::Sum, name), y = a.declare(AggKind::Sum, text);
    a.open();
    a.add(x, name, 5);
    a.add(y, text, 6);
    EXPECT_EQ(a.printa({x, y}), text_line("read", number(5) + number(6)));
}

TEST(Printa, TheFormatTakesKeysAndThenValues)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum, Bytes().text("", 8));
    a.open();
    a.add(id, Bytes().text("x", 8), 50);
    a.add(id, Bytes().text("y", 8), 25);
    a.aggregations.normalize(id, 10);
    EXPECT_EQ(a.printa("%s %@d|%@5d|%@x\n", {id}), "y 2|    2|2\nx 5|    5|5\n");
}

TEST(Printa, TheFormatOfSeveralAggregationsPrintsTheirValuesInOrder)
{
    Sample s;
    EXPECT_EQ(s.printa("%s %@d %@d %@d\n", {s.k, s.j}), "de 3 1 1\nabc 10 0 0\n");
}

TEST(Printa, AFormatMayLeaveOutTheKeys)
{
    Sample s;
    EXPECT_EQ(s.printa("%@03d.", {s.k}), "003.010.");
}

TEST(Printa, AConversionPrintsNegativeValuesSignedOrUnsigned)
{
    Three t({-1});
    EXPECT_EQ(t.printa("%@d %@u %@x", {t.id}), "-1 18446744073709551615 ffffffffffffffff");
}

TEST(Printa, ACountIsPrintedAsAnUnsignedNumber)
{
    Three t({-1}, AggKind::Count);
    EXPECT_EQ(t.printa("%@d", {t.id}), "18446744073709551615");
}

TEST(Printa, AConversionPrintsAHistogram)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Lquantize, {}, {0, 1, 1});
    a.open();
    a.store.add(id, nullptr, 0, {0, 1, 0});
    EXPECT_EQ(a.printa("x%@dy", {id}), "x\n           value  ------------- Distribution ------------- count    \n"
                                       "             < 0 |                                         0        \n"
                                       "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                                       "            >= 1 |                                         0        \ny");
}

TEST(Printa, AHistogramEndsWithAnEmptyLine)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Lquantize, Bytes().text("", 8), {0, 1, 1});
    a.open();
    const Bytes key = Bytes().text("k", 8);
    a.store.add(id, &key, 1, {0, 0, 2});
    EXPECT_EQ(a.printa({id}), "  k" + std::string(49, ' ') +
                                  "\n           value  ------------- Distribution ------------- count    \n"
                                  "               0 |                                         0        \n"
                                  "            >= 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n\n");
}

TEST(Printa, AStackAsKeyIsPrintedLineByLine)
{
    Aggregated a;
    const Bytes key = Bytes().words({0x10, 0x20, 0}, Datum::Kind::Stack);
    const uint32_t id = a.declare(AggKind::Count, key);
    a.open();
    a.add(id, key, 1);
    EXPECT_EQ(a.printa({id}), "\n              0x10\n              0x20\n" + number(1) + "\n");
    EXPECT_EQ(a.printa("%k %@d\n", {id}), "\n0x10\n0x20\n 1\n");
}

TEST(PrintingAtExit, OnlyUnprintedAggregationsArePrinted)
{
    Sample s;
    s.printa({s.k});
    EXPECT_EQ(s.at_exit(), text_line("de", number(2) + number(1)));
    EXPECT_EQ(s.at_exit(), "");
}

TEST(PrintingAtExit, AggregationsArePrintedInTheOrderOfTheirFirstUseInTheProgram)
{
    Aggregated a;
    const uint32_t x = a.declare(AggKind::Count), y = a.declare(AggKind::Sum);
    a.open();
    a.store.add(x, nullptr, 0, {9});
    a.store.add(y, nullptr, 0, {1});
    EXPECT_EQ(a.at_exit(), number(9) + "\n" + number(1) + "\n");
}

TEST(PrintingAtExit, ReverseOrderAlsoAppliesToTheOrderOfTheAggregations)
{
    Aggregated a;
    a.options.put("aggsortrev");
    const uint32_t x = a.declare(AggKind::Count), y = a.declare(AggKind::Sum);
    a.open();
    a.store.add(x, nullptr, 0, {9});
    a.store.add(y, nullptr, 0, {1});
    EXPECT_EQ(a.at_exit(), number(1) + "\n" + number(9) + "\n");
}

TEST(PrintingAtExit, ValuesOfEachCpuFollowTheTotal)
{
    Aggregated a;
    a.options.put("aggpercpu");
    const Bytes key = Bytes().text("x", 8);
    const uint32_t id = a.declare(AggKind::Sum, key);
    a.open();
    a.add(id, key, 5, 1);
    EXPECT_EQ(a.at_exit(), "  x" + std::string(49, ' ') + number(5) + "\n    [CPU 0]" + number(0) + "\n    [CPU 1]" +
                               number(5) + "\n");
}

TEST(AggregationOrder, EntriesAreSortedByValueAndThenByKey)
{
    EXPECT_EQ(Three({5, -5, 0}).order(), "231");
    EXPECT_EQ(Three({1, 0, 0}).order(), "231");
}

TEST(AggregationOrder, TheReverseOptionReversesTheOrder)
{
    Three t({1, 0, 0});
    t.options.put("aggsortrev");
    EXPECT_EQ(t.order(), "132");
}

TEST(AggregationOrder, EntriesCanBeSortedByKey)
{
    Three t({3, 2, 1});
    t.options.put("aggsortkey");
    EXPECT_EQ(t.order(), "123");
    t.options.put("aggsortrev");
    EXPECT_EQ(t.order(), "321");
}

TEST(AggregationOrder, IntegerKeysAreComparedAsUnsigned)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum, Bytes().integer(0));
    a.options.put("aggsortkey");
    a.open();
    for (const int32_t key : {-1, 1, 0})
        a.add(id, Bytes().integer(key), 1);
    EXPECT_EQ(a.printa("%d ", {id}), "0 1 -1 ");
}

TEST(AggregationOrder, TheFirstKeyToCompareIsChosenByTheOptionAggsortkeypos)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum, Bytes().integer(0).integer(0));
    a.options.put("aggsortkey");
    a.options.put("aggsortkeypos", "1");
    a.open();
    for (const auto& [x, y] : {std::pair{1, 2}, std::pair{2, 1}, std::pair{0, 2}})
        a.add(id, Bytes().integer(x).integer(y), 1);
    EXPECT_EQ(a.printa("%d%d ", {id}), "21 02 12 ");
    a.options.put("aggsortkeypos", "7");
    EXPECT_EQ(a.printa("%d%d ", {id}), "02 12 21 ") << "too large acts as 0";
}

TEST(AggregationOrder, TheAggregationToSortByIsChosenByItsPosition)
{
    Sample s;
    s.options.put("aggsortpos", "1");
    EXPECT_EQ(s.printa("%s ", {s.k, s.j}), "abc de ");
    s.options.put("aggsortpos", "2");
    EXPECT_EQ(s.printa("%s ", {s.k, s.j}), "de abc ") << "too large acts as 0";
}

TEST(AggregationOrder, StringsAreComparedByBytes)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Sum, Bytes().text("", 8));
    a.options.put("aggsortkey");
    a.open();
    for (const char* key : {"b", "ab", "a", "\xff"})
        a.add(id, Bytes().text(key, 8), 1);
    EXPECT_EQ(a.printa("%s ", {id}), "a ab b \xff ");
}

TEST(AggregationOrder, NamesStoredAsIdsAreComparedByTheirText)
{
    Aggregated a;
    a.names = {"write", "read"};
    const uint32_t ids[] = {0, 1};
    const Bytes write = Bytes().bytes(&ids[0], 4, Datum::Kind::Name, 4),
                read = Bytes().bytes(&ids[1], 4, Datum::Kind::Name, 4);
    const uint32_t id = a.declare(AggKind::Sum, read);
    a.open();
    a.add(id, write, 1);
    a.add(id, read, 1);
    EXPECT_EQ(a.printa("%s ", {id}), "read write ");
}

TEST(AggregationOrder, HistogramsAreSortedByTheWeightedSumOfTheirBuckets)
{
    Aggregated a;
    const uint32_t id = a.declare(AggKind::Lquantize, Bytes().integer(0), {0, 20, 5});
    a.open();
    const Bytes one = Bytes().integer(1), two = Bytes().integer(2);
    // three values in the bucket that begins at 5; the key is sorted by 3 * 5
    a.store.add(id, &one, 0, {0, 0, 3, 0, 0, 0});
    // one value in the bucket that begins at 10; the key is sorted by 1 * 10
    a.store.add(id, &two, 0, {0, 0, 0, 1, 0, 0});
    EXPECT_EQ(a.printa("%d ", {id}), "2 1 ");
}

TEST(Agghist, TheBarOfAnEntryShowsItsShareOfTheSum)
{
    Sample s;
    s.options.put("agghist");
    EXPECT_EQ(s.printa({s.k}), "\n             key  ------------- Distribution ------------- count    \n"
                               "            de 2 |@@@@@@@@@                                3        \n"
                               "           abc 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@          10       \n");
}

TEST(Agghist, AnAggregationWithoutKeysIsPrintedWithoutBars)
{
    Aggregated a;
    a.options.put("agghist");
    const uint32_t id = a.declare(AggKind::Count);
    a.open();
    a.store.add(id, nullptr, 0, {9});
    EXPECT_EQ(a.printa({id}), number(9) + "\n");
}

TEST(Aggpack, HistogramsOfOneAggregationUseCommonColumns)
{
    setenv("LC_ALL", "C", 1);
    Aggregated a;
    a.options.put("aggpack");
    const uint32_t id = a.declare(AggKind::Lquantize, Bytes().text("", 8), {0, 5, 1});
    a.open();
    const Bytes one = Bytes().text("one", 8), two = Bytes().text("two", 8);
    a.store.add(id, &one, 0, {0, 0, 8, 1, 0, 0, 0});
    a.store.add(id, &two, 0, {0, 0, 0, 4, 0, 0, 0});
    EXPECT_EQ(a.printa({id}), "             key          min .----. max          | count\n"
                              "             two            0 :  @ : 3            | 4\n"
                              "             one            0 : @_ : 3            | 9\n");
}
