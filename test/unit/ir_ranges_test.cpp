// Tests interval analysis: the ranges of values that follow from operations and branches.
#include "dcompiler/ir/analysis.hpp"

#include <gtest/gtest.h>

namespace dt::ir {
namespace {

class RangesTest : public testing::Test {
protected:
    RangesTest()
    {
        f.name = "f";
        f.param_mem = {Mem::Context};
        f.param_region = {0};
    }
    Range of(Value value) { return Ranges(f).of(value); }
    Function f;
};

TEST_F(RangesTest, RangesOfArithmeticResultsAreDerivedFromTheOperands)
{
    Builder b(f);
    const Value x = b.load(1, b.param(0), 0);
    const Value sum = b.binary(Op::Add, b.binary(Op::Mul, x, b.constant(-2)), b.constant(10));
    const Value quotient = b.binary(Op::UDiv, x, b.constant(16));
    const Value rest = b.binary(Op::UMod, b.load(8, b.param(0), 0), b.constant(16));
    const Value shifted = b.binary(Op::Shl, x, b.constant(3));
    const Value mixed = b.binary(Op::Or, x, b.constant(256));
    b.ret();
    EXPECT_EQ(of(sum), (Range{-500, 10}));
    EXPECT_EQ(of(quotient), (Range{0, 15}));
    EXPECT_EQ(of(rest), (Range{0, 15}));
    EXPECT_EQ(of(shifted), (Range{0, 2040}));
    EXPECT_EQ(of(mixed), (Range{0, 511}));
}

TEST_F(RangesTest, RangesOfSignedQuotientsAreDerivedFromTheOperands)
{
    Builder b(f);
    const Value x = b.load(1, b.param(0), 0), low = b.binary(Op::Sub, x, b.constant(100));
    const Value quotient = b.binary(Op::SDiv, low, b.constant(10)), rest = b.binary(Op::SMod, low, b.constant(10)),
                some = b.binary(Op::SDiv, low, b.binary(Op::Add, x, b.constant(1))),
                large = b.binary(Op::SDiv, b.binary(Op::Add, x, b.constant(512)), b.binary(Op::Add, x, b.constant(2)));
    b.ret();
    EXPECT_EQ(of(quotient), (Range{-10, 15}));
    EXPECT_EQ(of(rest), (Range{-9, 9}));
    EXPECT_EQ(of(some), (Range{-100, 155}));
    EXPECT_EQ(of(large), (Range{1, 383}));
}

TEST_F(RangesTest, ValuesThatMayWrapAreUnbounded)
{
    Builder b(f);
    const Value x = b.load(8, b.param(0), 0);
    const Value sum = b.binary(Op::Add, x, b.constant(1));
    const Value product = b.binary(Op::Mul, b.load(4, b.param(0), 0), b.constant(int64_t{1} << 40));
    b.ret();
    EXPECT_EQ(of(sum), Range{});
    EXPECT_EQ(of(product), Range{});
}

TEST_F(RangesTest, TheRangeOfAPhiCoversTheRangesOfAllItsValues)
{
    Builder b(f);
    const Value five = b.constant(5), nine = b.constant(9);
    const BlockId yes = b.block(), done = b.block();
    b.branch(Op::Eq, b.load(8, b.param(0), 0), five, yes, done);
    b.enter(yes);
    b.jump(done);
    b.enter(done);
    const Value phi = b.phi({five, nine});
    b.ret(phi);
    EXPECT_EQ(of(phi), (Range{5, 9}));
}

struct Case {
    Op cmp;
    int64_t bound;
    bool swapped;
    Range yes, no;
};

class Refinement : public RangesTest, public testing::WithParamInterface<Case> {};

TEST_P(Refinement, BranchesNarrowRanges)
{
    Builder b(f);
    const Value x = b.load(8, b.param(0), 0), bound = b.constant(GetParam().bound);
    const BlockId yes = b.block(), no = b.block();
    if (GetParam().swapped)
        b.branch(GetParam().cmp, bound, x, yes, no);
    else
        b.branch(GetParam().cmp, x, bound, yes, no);
    b.enter(yes);
    b.ret();
    b.enter(no);
    b.ret();
    const Ranges ranges(f);
    EXPECT_EQ(ranges.at(x, yes), GetParam().yes);
    EXPECT_EQ(ranges.at(x, no), GetParam().no);
    EXPECT_EQ(ranges.at(x, 0), Range{});
}

constexpr int64_t kLow = std::numeric_limits<int64_t>::min();
constexpr int64_t kHigh = std::numeric_limits<int64_t>::max();
INSTANTIATE_TEST_SUITE_P(
    Comparisons, Refinement,
    testing::Values(Case{Op::SLt, 10, false, {kLow, 9}, {10, kHigh}}, Case{Op::SLe, 10, false, {kLow, 10}, {11, kHigh}},
                    Case{Op::SLt, 10, true, {11, kHigh}, {kLow, 10}}, Case{Op::ULt, 10, false, {0, 9}, {kLow, kHigh}},
                    Case{Op::ULe, 10, false, {0, 10}, {kLow, kHigh}}, Case{Op::ULt, 10, true, {kLow, kHigh}, {0, 10}},
                    Case{Op::Eq, 10, false, {10, 10}, {kLow, kHigh}},
                    Case{Op::Ne, 10, false, {kLow, kHigh}, {10, 10}}));

TEST_F(RangesTest, ABoundOnAnOperandBoundsTheResult)
{
    Builder b(f);
    const Value x = b.load(8, b.param(0), 0);
    const Value twice = b.binary(Op::Shl, x, b.constant(1));
    const BlockId yes = b.block(), no = b.block();
    b.branch(Op::ULt, x, b.constant(8), yes, no);
    b.enter(yes);
    b.ret(twice);
    b.enter(no);
    b.ret();
    const Ranges ranges(f);
    EXPECT_EQ(ranges.at(twice, yes), (Range{0, 14}));
    EXPECT_EQ(ranges.at(twice, 0), Range{});
}

} // namespace
} // namespace dt::ir
