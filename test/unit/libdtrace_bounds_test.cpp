// Tests the bounds of histogram buckets: every value that can be counted falls into exactly one bucket.
#include <gtest/gtest.h>

#include "libdtrace/format/histogram.hpp"

namespace dt::format {
namespace {

HistogramShape shape(AggKind kind, std::vector<int64_t> parameters = {})
{
    return std::move(HistogramShape::make(kind, parameters).value());
}

/// Expects no gaps or overlaps between consecutive buckets. Skips buckets that can contain no integer.
void expect_no_gaps(const HistogramShape& shape)
{
    std::optional<int64_t> end;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto& bounds = shape.bounds(i);
        if (!bounds.low && !bounds.high)
            continue;
        EXPECT_EQ(bounds.low.has_value(), end.has_value()) << i;
        if (end && bounds.low) {
            EXPECT_EQ(*bounds.low, *end + 1) << i;
        }
        end = bounds.high;
    }
    EXPECT_FALSE(end.has_value());
}

TEST(HistogramBounds, QuantizeBucketsCoverEachValueOnce)
{
    const HistogramShape powers = shape(AggKind::Quantize);
    expect_no_gaps(powers);
    EXPECT_EQ(powers.bounds(63), (HistogramShape::Bounds{0, 0}));
    EXPECT_EQ(powers.bounds(66), (HistogramShape::Bounds{4, 7}));
    EXPECT_EQ(powers.bounds(61), (HistogramShape::Bounds{-3, -2}));
    EXPECT_EQ(powers.bounds(126), (HistogramShape::Bounds{int64_t{1} << 62, {}}));
}

TEST(HistogramBounds, LquantizeBucketsCoverEachValueOnce)
{
    const HistogramShape steps = shape(AggKind::Lquantize, {-10, 95, 10});
    expect_no_gaps(steps);
    EXPECT_EQ(steps.bounds(0), (HistogramShape::Bounds{{}, -11}));
    EXPECT_EQ(steps.bounds(1), (HistogramShape::Bounds{-10, -1}));
    EXPECT_EQ(steps.bounds(steps.size() - 1), (HistogramShape::Bounds{90, {}}));
}

TEST(HistogramBounds, LlquantizeBucketsCoverEachValueOnce)
{
    for (const std::vector<int64_t>& parameters : std::vector<std::vector<int64_t>>{
             {10, 0, 6, 20}, {10, 2, 6, 10}, {2, 0, 62, 2}, {10, 0, 3, 100}, {4, 1, 5, 16}})
        expect_no_gaps(shape(AggKind::Llquantize, parameters));
    const HistogramShape tens = shape(AggKind::Llquantize, {10, 2, 6, 10});
    const std::size_t middle = tens.size() / 2;
    EXPECT_EQ(tens.bounds(middle), (HistogramShape::Bounds{-99, 99}));
    EXPECT_EQ(tens.bounds(middle + 1), (HistogramShape::Bounds{100, 199}));
    EXPECT_EQ(tens.bounds(middle - 1), (HistogramShape::Bounds{-199, -100}));
}

TEST(HistogramBounds, HquantizeBucketsCoverEachValueOnce)
{
    for (int64_t schema = 0; schema <= 5; ++schema)
        expect_no_gaps(shape(AggKind::Hquantize, {schema}));
    const HistogramShape octaves = shape(AggKind::Hquantize, {0});
    ASSERT_EQ(octaves.size(), 129u);
    EXPECT_EQ(octaves.words(), 130u);
    EXPECT_EQ(octaves.bounds(64), (HistogramShape::Bounds{0, 0}));
    EXPECT_EQ(octaves.bounds(65), (HistogramShape::Bounds{1, 1}));
    EXPECT_EQ(octaves.bounds(68), (HistogramShape::Bounds{5, 8}));
    EXPECT_EQ(octaves.bounds(60), (HistogramShape::Bounds{-8, -5}));
    EXPECT_EQ(octaves.bounds(128), (HistogramShape::Bounds{(int64_t{1} << 62) + 1, {}}));
    const HistogramShape eighths = shape(AggKind::Hquantize, {3});
    // The bucket of values above 1 and at most 2^(1/8) contains no integer.
    EXPECT_TRUE(eighths.is_ghost(505 + 2));
    EXPECT_EQ(eighths.bounds(505 + 81), (HistogramShape::Bounds{940, 1024}));
    EXPECT_FALSE(HistogramShape::make(AggKind::Hquantize, {6}));
    EXPECT_FALSE(HistogramShape::make(AggKind::Hquantize, {-1}));
}

} // namespace
} // namespace dt::format
