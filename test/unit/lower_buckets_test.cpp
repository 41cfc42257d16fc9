// The bucket functions of bpf-runtime, compiled here for the host, against the reference's definitions done the slow way.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

// The runtime is C for BPF; compiled for the host it needs none of the helpers that runtime.h names.
#define DT_RUNTIME_H
#include "bpf-runtime/abi.h"
#define DT_EXPORT inline
#define DT_HIDDEN inline
#include "bpf-runtime/llquantize.bpf.c"
#include "bpf-runtime/lquantize.bpf.c"
#include "bpf-runtime/quantize.bpf.c"
#include "bpf-runtime/square.bpf.c"

namespace {

int64_t label(uint64_t bucket) // runtime reference 4.2
{
    if (bucket == 63)
        return 0;
    return bucket > 63 ? int64_t{1} << (bucket - 64) : -(int64_t{1} << (62 - bucket));
}

TEST(Quantize, ZeroIsTheMiddleBucket)
{
    EXPECT_EQ(dt_quantize_bucket(0), 63u);
}

TEST(Quantize, EveryPowerOfTwoOpensItsBucket)
{
    for (int k = 0; k < 63; ++k) {
        const int64_t power = int64_t{1} << k;
        EXPECT_EQ(label(dt_quantize_bucket(power)), power);
        EXPECT_EQ(label(dt_quantize_bucket(-power)), -power);
        if (k > 1) {
            EXPECT_EQ(label(dt_quantize_bucket(power - 1)), power / 2);
        }
    }
}

TEST(Quantize, ReferenceExamples)
{
    EXPECT_EQ(label(dt_quantize_bucket(5)), 4);
    EXPECT_EQ(label(dt_quantize_bucket(1023)), 512);
    EXPECT_EQ(label(dt_quantize_bucket(-9)), -8);
    EXPECT_EQ(label(dt_quantize_bucket(-1)), -1);
    EXPECT_EQ(dt_quantize_bucket(std::numeric_limits<int64_t>::min()), 0u);
}

TEST(Lquantize, EdgesFallWhereTheReferenceSays)
{
    const uint64_t levels = (20 - 0) / 5;
    EXPECT_EQ(dt_lquantize_bucket(-1, 0, levels, 5), 0u);
    EXPECT_EQ(dt_lquantize_bucket(0, 0, levels, 5), 1u);
    EXPECT_EQ(dt_lquantize_bucket(4, 0, levels, 5), 1u);
    EXPECT_EQ(dt_lquantize_bucket(19, 0, levels, 5), 4u);
    EXPECT_EQ(dt_lquantize_bucket(20, 0, levels, 5), 5u);
    EXPECT_EQ(dt_lquantize_bucket(std::numeric_limits<int64_t>::max(), -100, 7, 1), 8u);
}

TEST(Llquantize, MagnitudesAndSigns)
{
    // factor 10, magnitudes 0..3, 10 steps: 9 buckets a magnitude, the middle one is number 37.
    const auto bucket = [](int64_t v) { return static_cast<int64_t>(dt_llquantize_bucket(v, 10, 0, 3, 10)) - 37; };
    EXPECT_EQ(bucket(0), 0);
    EXPECT_EQ(bucket(1), 1);
    EXPECT_EQ(bucket(9), 9);
    EXPECT_EQ(bucket(10), 10);
    EXPECT_EQ(bucket(99), 18);
    EXPECT_EQ(bucket(9999), 36);
    EXPECT_EQ(bucket(10000), 37);
    EXPECT_EQ(bucket(-75), -16);
    EXPECT_EQ(bucket(std::numeric_limits<int64_t>::min()), -37);
}

TEST(Llquantize, BelowTheLowMagnitudeIsOneBucket)
{
    // factor 10, magnitudes 1..3, 5 steps: per = 5 - 0 = 5 buckets a magnitude.
    const auto bucket = [](int64_t v) { return static_cast<int64_t>(dt_llquantize_bucket(v, 10, 1, 3, 5)) - 16; };
    EXPECT_EQ(bucket(5), 0);
    EXPECT_EQ(bucket(-9), 0);
    EXPECT_EQ(bucket(75), 4);
}

TEST(Square, HighWordOfTheProduct)
{
    for (const int64_t v : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{0xffffffff}, int64_t{1} << 32, int64_t{-3037000500},
                            std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
        const auto wide = static_cast<unsigned __int128>(static_cast<__int128>(v) * v);
        EXPECT_EQ(dt_square_high(v), static_cast<uint64_t>(wide >> 64)) << v;
    }
}

} // namespace
