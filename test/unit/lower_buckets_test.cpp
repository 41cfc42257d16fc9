// Tests histogram buckets against their definitions (dtrace-aggregations(7), FUNCTIONS), which this file computes in a
// slow but simple way. The bucket code that the compiler emits runs in the virtual machine. Functions of the BPF
// runtime are compiled for this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "test/unit/lower_run.hpp"

// Includes C code of the BPF runtime, compiled for this machine. Leaves out runtime.h, whose helper functions do not
// exist here.
#define DT_RUNTIME_H
#include "bpf-runtime/abi.h"
#define DT_EXPORT inline
#define DT_HIDDEN inline
#define DT_INLINE inline
#include "bpf-runtime/aggregations/hquantize.bpf.c"
#include "bpf-runtime/aggregations/llquantize.bpf.c"
#include "bpf-runtime/aggregations/square.bpf.c"

namespace {

/// Runs a program that aggregates arg0 with one histogram function.
class Distribution {
public:
    explicit Distribution(const std::string& call) : program_("syscall::read:entry { @[1] = " + call + "; }") {}

    /// Returns the bucket that `v` was counted in, or -1 if there are no or several such buckets.
    int64_t operator()(int64_t v)
    {
        dt::vm::Map* const map = program_.vm().map(program_.schema().aggregations.at(0).map);
        if (!map->keys().empty())
            map->erase(map->keys().at(0));
        program_.vm().environment.registers[14] = static_cast<uint64_t>(v); // register rdi holds arg0
        program_.fire("sys_enter", {0, 0});
        if (map->keys().empty())
            return -1;
        const auto bytes = map->value(map->keys().at(0));
        int64_t found = -1;
        for (std::size_t word = 0; word < bytes.size() / 8; ++word)
            if (bytes[word * 8] != 0)
                found = found < 0 ? static_cast<int64_t>(word) : bytes.size();
        return found;
    }

private:
    dt::test::DProgram program_;
};

// Returns the lower bound of bucket number `bucket` of quantize(), by the definition in dtrace-aggregations(7),
// quantize.
int64_t label(int64_t bucket)
{
    if (bucket == 63)
        return 0;
    return bucket > 63 ? int64_t{1} << (bucket - 64) : -(int64_t{1} << (62 - bucket));
}

TEST(QuantizeBuckets, ZeroIsInTheMiddleBucket)
{
    EXPECT_EQ(Distribution("quantize(arg0)")(0), 63);
}

TEST(QuantizeBuckets, EveryPowerOfTwoBeginsABucket)
{
    Distribution bucket("quantize(arg0)");
    for (int k = 0; k < 63; ++k) {
        const int64_t power = int64_t{1} << k;
        EXPECT_EQ(label(bucket(power)), power);
        EXPECT_EQ(label(bucket(-power)), -power);
        if (k > 1) {
            EXPECT_EQ(label(bucket(power - 1)), power / 2);
            EXPECT_EQ(label(bucket(1 - power)), -power / 2);
        }
    }
}

TEST(QuantizeBuckets, ExamplesOfTheManualHaveTheBucketsStatedThere)
{
    Distribution bucket("quantize(arg0)");
    EXPECT_EQ(label(bucket(5)), 4);
    EXPECT_EQ(label(bucket(1023)), 512);
    EXPECT_EQ(label(bucket(-9)), -8);
    EXPECT_EQ(label(bucket(-1)), -1);
    EXPECT_EQ(label(bucket(std::numeric_limits<int64_t>::max())), int64_t{1} << 62);
    EXPECT_EQ(bucket(std::numeric_limits<int64_t>::min()), 0);
}

TEST(LquantizeBuckets, BoundsEqualTheBoundsInTheManual)
{
    Distribution bucket("lquantize(arg0, 0, 20, 5)");
    EXPECT_EQ(bucket(-1), 0);
    EXPECT_EQ(bucket(0), 1);
    EXPECT_EQ(bucket(4), 1);
    EXPECT_EQ(bucket(19), 4);
    EXPECT_EQ(bucket(20), 5);
    EXPECT_EQ(bucket(std::numeric_limits<int64_t>::max()), 5);
}

TEST(LquantizeBuckets, TheLowerBoundCanBeNegativeWithStepsOfOne)
{
    Distribution bucket("lquantize(arg0, -100, -93, 1)");
    EXPECT_EQ(bucket(std::numeric_limits<int64_t>::min()), 0);
    EXPECT_EQ(bucket(-101), 0);
    EXPECT_EQ(bucket(-100), 1);
    EXPECT_EQ(bucket(-94), 7);
    EXPECT_EQ(bucket(-93), 8);
    EXPECT_EQ(bucket(std::numeric_limits<int64_t>::max()), 8);
}

TEST(LquantizeBuckets, EveryNumberInTheRangeIsDividedCorrectly)
{
    Distribution bucket("lquantize(arg0, 0, 1001, 7)");
    for (int64_t v = 0; v < 1001; ++v)
        ASSERT_EQ(bucket(v), v / 7 + 1) << v;
}

TEST(LlquantizeBuckets, EachMagnitudeHasBucketsForBothSigns)
{
    // llquantize(factor 10, magnitudes 0 to 3, 10 steps) has 9 buckets per magnitude. The middle bucket has the index
    // 37.
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

TEST(LlquantizeBuckets, ValuesBelowTheLowestMagnitudeShareABucket)
{
    // llquantize(factor 10, magnitudes 1 to 3, 5 steps) has 5 buckets per magnitude. The middle bucket has the index
    // 16.
    const auto bucket = [](int64_t v) { return static_cast<int64_t>(dt_llquantize_bucket(v, 10, 1, 3, 5)) - 16; };
    EXPECT_EQ(bucket(5), 0);
    EXPECT_EQ(bucket(-9), 0);
    EXPECT_EQ(bucket(75), 4);
}

// ---- hquantize -----------------------------------------------------------------------------------------------------

/// An unsigned integer of any size, as words of 32 bits. The first element is the lowest word.
using Long = std::vector<uint32_t>;

Long square_of(const Long& a)
{
    Long product(2 * a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        uint64_t carry = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            carry += uint64_t{a[i]} * a[j] + product[i + j];
            product[i + j] = static_cast<uint32_t>(carry);
            carry >>= 32;
        }
        product[i + a.size()] = static_cast<uint32_t>(carry);
    }
    return product;
}

/// Returns the smallest n with v <= 2^(n * 2^-schema), which is equivalent to the comparison of integers v^(2^schema)
/// <= 2^n.
int64_t exponent_of(uint64_t v, int schema)
{
    Long power{static_cast<uint32_t>(v), static_cast<uint32_t>(v >> 32)};
    for (int i = 0; i < schema; ++i)
        power = square_of(power);
    for (std::size_t i = 0; power[i]-- == 0; ++i) // subtracts 1 from `power`; then its number of bits is the result
        ;
    while (power.back() == 0 && power.size() > 1)
        power.pop_back();
    return static_cast<int64_t>(power.size()) * 32 - std::countl_zero(power.back());
}

#define DT_BOUND_ALONE(n, bound) bound,
constexpr uint64_t kOctave[] = {uint64_t{1} << 63, DT_HQUANTIZE_BOUNDS(DT_BOUND_ALONE)};
#undef DT_BOUND_ALONE

int64_t hquantize(int64_t v, int schema)
{
    return static_cast<int64_t>(dt_hquantize_bucket(v, static_cast<uint64_t>(schema))) - DT_HQUANTIZE_SIDE(schema);
}

/// Checks every bound of every schema: computes exact powers of the last number below the bound and of the first number
/// above it.
TEST(HquantizeBuckets, EveryBoundOfSixtyFourBitValuesIsExact)
{
    for (int schema = 0; schema <= DT_HQUANTIZE_MAX_SCHEMA; ++schema) {
        uint64_t before = 0;
        for (int64_t n = 0; n < int64_t{63} << schema; ++n) {
            const auto part = static_cast<uint64_t>(n) & ((uint64_t{1} << schema) - 1);
            const uint64_t bound = kOctave[part << (5 - schema)] >> (63 - (n >> schema));
            if (bound != before) { // equal bounds: the bucket contains no integer
                ASSERT_EQ(exponent_of(bound, schema), n) << schema;
                ASSERT_EQ(hquantize(static_cast<int64_t>(bound), schema), n + 1) << schema << " " << bound;
                ASSERT_EQ(hquantize(-static_cast<int64_t>(bound), schema), -n - 1) << schema << " " << bound;
            }
            const int64_t next = exponent_of(bound + 1, schema);
            ASSERT_GT(next, n);
            ASSERT_EQ(hquantize(static_cast<int64_t>(bound + 1), schema), next + 1) << schema << " " << bound;
            ASSERT_EQ(hquantize(-static_cast<int64_t>(bound + 1), schema), -next - 1) << schema << " " << bound;
            before = bound;
        }
    }
}

TEST(HquantizeBuckets, BucketsRangeFromTheSmallestToTheLargestInteger)
{
    for (int schema = 0; schema <= DT_HQUANTIZE_MAX_SCHEMA; ++schema) {
        const int64_t last = DT_HQUANTIZE_SIDE(schema);
        EXPECT_EQ(hquantize(0, schema), 0);
        EXPECT_EQ(hquantize(1, schema), 1);
        EXPECT_EQ(hquantize(-1, schema), -1);
        EXPECT_EQ(hquantize(std::numeric_limits<int64_t>::max(), schema), last);
        EXPECT_EQ(hquantize(std::numeric_limits<int64_t>::min(), schema), -last);
    }
}

/// Compiles a D program and checks that it counts values in the same buckets as the runtime functions tested above.
TEST(HquantizeBuckets, ACompiledProgramCountsValuesInTheBucketsOfTheDefinition)
{
    dt::test::DProgram program("syscall::read:entry { @[1] = hquantize((int64_t)arg0, 3, 10); }");
    const auto fire = [&](int64_t v) {
        program.vm().environment.registers[14] = static_cast<uint64_t>(v); // register rdi holds arg0
        program.fire("sys_enter", {0, 0});
    };
    for (const int64_t v : {int64_t{1000}, int64_t{-3}})
        fire(v);
    const auto bytes = program.vm().map(program.schema().aggregations.at(0).map);
    std::vector<int64_t> words(DT_HQUANTIZE_WORDS(3));
    const auto value = bytes->value(bytes->keys().at(0));
    ASSERT_EQ(value.size(), words.size() * 8);
    std::memcpy(words.data(), value.data(), value.size());
    const auto zero = static_cast<std::size_t>(DT_HQUANTIZE_SIDE(3));
    EXPECT_EQ(words[zero + 81], 10); // 1000 is above 2^(79/8) and at most 2^(80/8)
    EXPECT_EQ(words[zero - 14], 10); // 3 is above 2^(12/8) and at most 2^(13/8)
    EXPECT_EQ(words.back(), 9970);
    EXPECT_EQ(std::count(words.begin(), words.end(), 0), static_cast<std::ptrdiff_t>(words.size()) - 3);
}

TEST(SquareOfANumber, TheHighWordOfASquareIsExact)
{
    for (const int64_t v :
         {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{0xffffffff}, int64_t{1} << 32, int64_t{-3037000500},
          std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
        const auto wide = static_cast<unsigned __int128>(static_cast<__int128>(v) * v);
        EXPECT_EQ(dt_square_high(v), static_cast<uint64_t>(wide >> 64)) << v;
    }
}

TEST(SquareOfANumber, AWeightedSquareEqualsRepeatedAddition)
{
    for (const int64_t v : {int64_t{1}, int64_t{-3037000500}, int64_t{1} << 40, std::numeric_limits<int64_t>::min()})
        for (const uint64_t weight : {uint64_t{1}, uint64_t{1000}, uint64_t{0xffffffff}}) {
            // the low word already has its maximum, so every addition carries into the next word
            uint64_t words[3] = {~uint64_t{0}, 5, 0};
            dt_add_squares(words, v, weight);
            const auto square = static_cast<unsigned __int128>(static_cast<__int128>(v) * v);
            const auto low = static_cast<unsigned __int128>(static_cast<uint64_t>(square)) * weight,
                       high = (square >> 64) * weight;
            const unsigned __int128 first = low + ~uint64_t{0}, rest = (first >> 64) + high + 5;
            EXPECT_EQ(words[0], static_cast<uint64_t>(first)) << v << " " << weight;
            EXPECT_EQ(words[1], static_cast<uint64_t>(rest)) << v << " " << weight;
            EXPECT_EQ(words[2], static_cast<uint64_t>(rest >> 64)) << v << " " << weight;
        }
}

} // namespace
