// Tests that histograms are drawn exactly as in dtrace-output(7), HISTOGRAMS.
#include "bpf-runtime/abi.h"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace_support.hpp"

using namespace dt;
using namespace dt::format;

namespace {

constexpr const char* kDrawnHeading = "\n           value  ------------- Distribution ------------- count    \n";

HistogramShape shape_of(AggKind kind, std::vector<int64_t> parameters = {})
{
    auto shape = HistogramShape::make(kind, parameters);
    EXPECT_TRUE(shape) << (shape ? "" : shape.error().message);
    return std::move(shape.value());
}

std::string draw(const HistogramShape& shape, const std::vector<int64_t>& buckets, HistogramStyle style = {})
{
    Text out;
    append_histogram(out, shape, buckets, style);
    return std::string(out.view());
}

// Returns the buckets of a quantize(). `counts` lists pairs of a bucket's label and its count.
std::vector<int64_t> quantized(std::initializer_list<std::pair<int64_t, int64_t>> counts)
{
    std::vector<int64_t> buckets(DT_QUANTIZE_BUCKETS);
    for (const auto& [label, count] : counts) {
        int bucket = DT_QUANTIZE_ZERO;
        if (label > 0)
            bucket = DT_QUANTIZE_ZERO + 1 + __builtin_ctzll(static_cast<uint64_t>(label));
        else if (label < 0)
            bucket = DT_QUANTIZE_ZERO - 1 - __builtin_ctzll(static_cast<uint64_t>(-label));
        buckets[static_cast<std::size_t>(bucket)] = count;
    }
    return buckets;
}

} // namespace

TEST(QuantizePlot, PrintsTheExampleOfTheManualExactly)
{
    EXPECT_EQ(draw(shape_of(AggKind::Quantize), quantized({{-8, 1}, {-1, 1}, {0, 1}, {1, 1}, {2, 1}, {4, 10}})),
              std::string(kDrawnHeading) + "             -16 |                                         0        \n"
                                           "              -8 |@@@                                      1        \n"
                                           "              -4 |                                         0        \n"
                                           "              -2 |                                         0        \n"
                                           "              -1 |@@@                                      1        \n"
                                           "               0 |@@@                                      1        \n"
                                           "               1 |@@@                                      1        \n"
                                           "               2 |@@@                                      1        \n"
                                           "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              10       \n"
                                           "               8 |                                         0        \n");
}

TEST(QuantizePlot, BarsOfNegativeCountsExtendToTheLeft)
{
    EXPECT_EQ(draw(shape_of(AggKind::Quantize), quantized({{4, -3}, {64, 2}})),
              std::string(kDrawnHeading) + "               2                     |                     0        \n"
                                           "               4         @@@@@@@@@@@@|                     -3       \n"
                                           "               8                     |                     0        \n"
                                           "              16                     |                     0        \n"
                                           "              32                     |                     0        \n"
                                           "              64                     |@@@@@@@@             2        \n"
                                           "             128                     |                     0        \n");
}

TEST(QuantizePlot, TheAxisIsOnTheRightIfAllCountsAreNegative)
{
    EXPECT_EQ(draw(shape_of(AggKind::Quantize), quantized({{4, -2}})),
              std::string(kDrawnHeading) + "               2                                         | 0        \n"
                                           "               4 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -2       \n"
                                           "               8                                         | 0        \n");
}

TEST(QuantizePlot, AnEmptyHistogramShowsTheRowsNextToZero)
{
    EXPECT_EQ(draw(shape_of(AggKind::Quantize), quantized({})),
              std::string(kDrawnHeading) + "              -1 |                                         0        \n"
                                           "               0 |                                         0        \n"
                                           "               1 |                                         0        \n");
}

TEST(QuantizePlot, NoRowFollowsTheLastBucket)
{
    std::vector<int64_t> buckets(DT_QUANTIZE_BUCKETS);
    buckets[0] = 1;
    EXPECT_EQ(draw(shape_of(AggKind::Quantize), buckets),
              std::string(kDrawnHeading) +
                  "-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                  "-2305843009213693952 |                                         0        \n");
}

TEST(QuantizePlot, NormalizationChangesThePrintedCountButNotTheBars)
{
    const std::string drawn = draw(shape_of(AggKind::Quantize), quantized({{1, 30}, {2, 10}}), {10, false});
    EXPECT_NE(drawn.find("               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"), std::string::npos)
        << drawn;
    EXPECT_NE(drawn.find("               2 |@@@@@@@@@@                               1        \n"), std::string::npos)
        << drawn;
}

TEST(QuantizePlot, ZoomExtendsTheLongestBarToTheFullWidth)
{
    const std::string drawn = draw(shape_of(AggKind::Quantize), quantized({{1, 2}, {2, 1}}), {1, true});
    EXPECT_NE(drawn.find("               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"), std::string::npos)
        << drawn;
    EXPECT_NE(drawn.find("               2 |@@@@@@@@@@@@@@@@@@@@                     1        \n"), std::string::npos)
        << drawn;
}

TEST(LquantizePlot, PrintsTheExampleOfTheManualExactly)
{
    EXPECT_EQ(draw(shape_of(AggKind::Lquantize, {0, 20, 5}), {1, 1, 0, 0, 1, 1}),
              std::string(kDrawnHeading) + "             < 0 |@@@@@@@@@@                               1        \n"
                                           "               0 |@@@@@@@@@@                               1        \n"
                                           "               5 |                                         0        \n"
                                           "              10 |                                         0        \n"
                                           "              15 |@@@@@@@@@@                               1        \n"
                                           "           >= 20 |@@@@@@@@@@                               1        \n");
}

TEST(LquantizePlot, AnEmptyHistogramShowsTheFirstThreeRows)
{
    EXPECT_EQ(draw(shape_of(AggKind::Lquantize, {-5, 5, 5}), {0, 0, 0, 0}),
              std::string(kDrawnHeading) + "            < -5 |                                         0        \n"
                                           "              -5 |                                         0        \n"
                                           "               0 |                                         0        \n");
}

// llquantize(factor 10, magnitudes 1 to 3, 5 steps) has 5 buckets per magnitude. The value 5 is in the middle bucket,
// and 75 in the bucket that begins at 60.
TEST(LlquantizePlot, PrintsTheExampleOfTheManualExactly)
{
    const HistogramShape shape = shape_of(AggKind::Llquantize, {10, 1, 3, 5});
    ASSERT_EQ(shape.size(), 2u * 3 * 5 + 3);
    std::vector<int64_t> buckets(shape.size());
    const std::size_t middle = 1 + 3 * 5;
    buckets[middle] = 1;
    buckets[middle + 1 + 3] = 1;
    EXPECT_EQ(draw(shape, buckets), std::string(kDrawnHeading) +
                                        "             -10 |                                         0        \n"
                                        "      abs() < 10 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
                                        "              10 |                                         0        \n"
                                        "              20 |                                         0        \n"
                                        "              40 |                                         0        \n"
                                        "              60 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
                                        "              80 |                                         0        \n");
}

TEST(LlquantizePlot, WithoutNegativeRowsTheMiddleRowHasALabel)
{
    const HistogramShape shape = shape_of(AggKind::Llquantize, {10, 1, 1, 10});
    std::vector<int64_t> buckets(shape.size());
    buckets[1 + 9 + 1] = 1;
    EXPECT_EQ(draw(shape, buckets), std::string(kDrawnHeading) +
                                        "            < 10 |                                         0        \n"
                                        "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                                        "              20 |                                         0        \n");
}

TEST(LlquantizePlot, TheFirstAndLastRowAreOpenRanges)
{
    const HistogramShape shape = shape_of(AggKind::Llquantize, {10, 0, 1, 10});
    EXPECT_EQ(shape.label(0), "<= -100");
    EXPECT_EQ(shape.label(shape.size() - 1), ">= 100");
    EXPECT_EQ(shape.label(1 + 2 * 9), "0");
}

// llquantize(factor 10, lowest magnitude 0, 20 steps) has 18 buckets per magnitude. In the first magnitude, the
// integers 1 to 9 belong to every second bucket. The other buckets ("ghosts") cannot contain integers and are not
// drawn.
TEST(LlquantizePlot, RowsForRangesWithoutAnIntegerAreSkipped)
{
    const HistogramShape shape = shape_of(AggKind::Llquantize, {10, 0, 1, 20});
    const std::size_t middle = 1 + 2 * 18;
    EXPECT_EQ(shape.label(middle + 1), "1");
    EXPECT_TRUE(shape.is_ghost(middle + 2));
    EXPECT_EQ(shape.label(middle + 3), "2");
    std::vector<int64_t> buckets(shape.size());
    buckets[middle + 1] = 1;
    EXPECT_EQ(draw(shape, buckets), std::string(kDrawnHeading) +
                                        "               0 |                                         0        \n"
                                        "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                                        "               2 |                                         0        \n");
}

TEST(LlquantizePlot, AnEmptyHistogramShowsTheFirstPositiveRow)
{
    const HistogramShape shape = shape_of(AggKind::Llquantize, {10, 0, 1, 10});
    EXPECT_EQ(draw(shape, std::vector<int64_t>(shape.size())),
              std::string(kDrawnHeading) + "               0 |                                         0        \n"
                                           "               1 |                                         0        \n"
                                           "               2 |                                         0        \n");
}

TEST(HistogramShape, InvalidParametersAreAnError)
{
    EXPECT_FALSE(HistogramShape::make(AggKind::Lquantize, {5, 5, 1}));
    EXPECT_FALSE(HistogramShape::make(AggKind::Lquantize, {0, 10, 0}));
    EXPECT_FALSE(HistogramShape::make(AggKind::Llquantize, {10, 0, 63, 10}));
    EXPECT_FALSE(HistogramShape::make(AggKind::Count, {}));
}

TEST(PackedHistogram, EachBucketIsPrintedAsOneColumn)
{
    const HistogramShape shape = shape_of(AggKind::Quantize);
    const auto buckets = quantized({{1, 8}, {2, 4}, {4, 0}, {8, 1}});
    const PackedColumns columns{shape.shown(buckets), false};
    Text out;
    append_packed_heading(out, shape, columns);
    append_packed(out, shape, columns, "abc", buckets, 1);
    EXPECT_EQ(out.view(), "             key          min .------. max          | count\n"
                          "             abc            0 : @= _ : 16           | 13\n");
}
