// Tests how divisions by constants are replaced by multiplications and shifts.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dcompiler/opt/passes.hpp"

namespace dt::opt {
namespace {

TEST(ReciprocalDivision, MultiplyingByTheReciprocalYieldsTheExactQuotient)
{
    std::mt19937_64 random(7);
    for (const uint64_t most : {uint64_t{99}, uint64_t{0xffff}, uint64_t{0xffffffff}})
        for (int round = 0; round < 2000; ++round) {
            const uint64_t divisor = 2 + random() % (round % 2 ? 1000 : most);
            const auto by = reciprocal(divisor, most);
            if (!by)
                continue;
            const uint64_t multiple = most / divisor * divisor;
            for (const uint64_t x : {uint64_t{0}, std::min(divisor - 1, most), std::min(divisor, most), most, multiple,
                                     multiple - (multiple > 0), random() % most})
                ASSERT_EQ(x * by->factor >> by->shift, x / divisor) << x << " / " << divisor;
        }
}

TEST(ReciprocalDivision, AReciprocalExistsOnlyIfTheProductFitsIntoAWord)
{
    for (const uint64_t divisor : {3, 10, 100, 1000, 1000000})
        EXPECT_TRUE(reciprocal(divisor, 0xffffffff)) << divisor;
    EXPECT_FALSE(reciprocal(1000, UINT64_MAX));
    EXPECT_FALSE(reciprocal(1, 100));
    EXPECT_FALSE(reciprocal(0, 100));
}

TEST(ReciprocalDivision, SignedDivisionRoundsTowardsZero)
{
    EXPECT_EQ(evaluate(ir::Op::SDiv, -7, 2), -3);
    EXPECT_EQ(evaluate(ir::Op::SMod, -7, 2), -1);
    EXPECT_EQ(evaluate(ir::Op::SDiv, 7, -2), -3);
    EXPECT_EQ(evaluate(ir::Op::SDiv, INT64_MIN, -1), std::nullopt);
    EXPECT_EQ(evaluate(ir::Op::SMod, 1, 0), std::nullopt);
}

TEST(ReciprocalDivision, OnlyDivisionsOfThirtyTwoBitNumbersAreReplaced)
{
    ir::Function f;
    f.name = "f";
    f.param_mem = {ir::Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const ir::Value ten = b.constant(10), small = b.load(4, b.param(0), 0), large = b.load(8, b.param(0), 8);
    const ir::Value quotient = b.binary(ir::Op::UDiv, small, ten), rest = b.binary(ir::Op::UMod, small, ten),
                    other = b.binary(ir::Op::UDiv, large, ten);
    b.ret();
    reduce_divisions(f);
    EXPECT_EQ(f.instrs[quotient].op, ir::Op::LShr);
    EXPECT_EQ(f.instrs[rest].op, ir::Op::Sub);
    EXPECT_EQ(f.instrs[other].op, ir::Op::UDiv);
}

} // namespace
} // namespace dt::opt
