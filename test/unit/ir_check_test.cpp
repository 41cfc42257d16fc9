// Tests the checker of intermediate code: one test for each reason to refuse a function, and functions that it must
// accept.
#include "dcompiler/ir/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dt::ir {
namespace {

using testing::HasSubstr;

class IrChecker : public testing::Test {
protected:
    IrChecker()
    {
        m.functions.emplace_back();
        f().name = "f";
        f().section = "raw_tp";
        f().param_mem = {Mem::Context};
        f().param_region = {0};
        m.data.push_back({.name = "data", .section = ".bss", .size = 64});
        m.maps.push_back({.name = "hash", .type = 1, .key_size = 8, .value_size = 8, .max_entries = 1});
    }
    Function& f() { return m.functions[0]; }
    Builder builder() { return Builder(f()); }
    std::string first()
    {
        const auto refusals = check(m);
        return refusals.empty() ? "" : refusals.front().message;
    }

    Module m;
};

TEST_F(IrChecker, AcceptsAValidFunction)
{
    auto b = builder();
    const Value x = b.load(8, b.param(0), 8);
    b.store(8, b.data_addr(0, 64), 56, x);
    b.ret(x);
    EXPECT_EQ(first(), "");
}

TEST_F(IrChecker, RefusesABlockWithoutTerminator)
{
    auto b = builder();
    b.constant(1);
    EXPECT_THAT(first(), HasSubstr("does not end with a terminator"));
}

TEST_F(IrChecker, RefusesAUseNotDominatedByItsDefinition)
{
    auto b = builder();
    const BlockId yes = b.block(), done = b.block();
    b.branch(Op::Eq, b.constant(0), b.constant(1), yes, done);
    b.enter(yes);
    const Value only_here = b.load(8, b.param(0), 0);
    b.jump(done);
    b.enter(done);
    b.ret(only_here);
    EXPECT_THAT(first(), HasSubstr("may not have been computed"));
}

TEST_F(IrChecker, RefusesAPhiWithTooFewValues)
{
    auto b = builder();
    const Value one = b.constant(1);
    const BlockId yes = b.block(), done = b.block();
    b.branch(Op::Eq, one, one, yes, done);
    b.enter(yes);
    b.jump(done);
    b.enter(done);
    const Value phi = b.phi({one, one});
    b.ret(phi);
    f().instrs[phi].args.pop_back();
    EXPECT_THAT(first(), HasSubstr("1 values for 2 ways in"));
}

TEST_F(IrChecker, RefusesABlockWithAWrongListOfPredecessors)
{
    auto b = builder();
    const BlockId next = b.block();
    b.jump(next);
    b.enter(next);
    b.ret();
    f().blocks[next].preds.push_back(0);
    EXPECT_THAT(first(), HasSubstr("predecessors"));
}

TEST_F(IrChecker, RefusesReferencesOutsideTheModule)
{
    auto b = builder();
    b.ret(b.map_ref(9));
    EXPECT_THAT(first(), HasSubstr("no map 9"));
}

TEST_F(IrChecker, RefusesACallWithTooManyArguments)
{
    auto b = builder();
    const Value x = b.constant(1);
    b.ret(b.call_helper(1, {x, x, x, x, x, x}));
    EXPECT_THAT(first(), HasSubstr("6 arguments"));
}

TEST_F(IrChecker, RefusesAnAccessBeyondTheEndOfARegion)
{
    auto b = builder();
    b.store(8, b.data_addr(0, 64), 60, b.constant(1));
    b.ret();
    EXPECT_EQ(first(), "bytes 60 to 67 of memory that has 64");
}

TEST_F(IrChecker, RefusesAnUnboundedOffset)
{
    auto b = builder();
    const Value at = b.binary(Op::Add, b.data_addr(0, 64), b.load(8, b.param(0), 0));
    b.ret(b.load(8, at, 0));
    EXPECT_THAT(first(), HasSubstr("no bounds"));
}

TEST_F(IrChecker, AcceptsAnOffsetBoundedByABranch)
{
    auto b = builder();
    const Value x = b.load(8, b.param(0), 0);
    const BlockId good = b.block(), bad = b.block();
    b.branch(Op::ULt, x, b.constant(57), good, bad);
    b.enter(good);
    b.ret(b.load(8, b.binary(Op::Add, b.data_addr(0, 64), x), 0));
    b.enter(bad);
    b.ret();
    EXPECT_EQ(first(), "");
}

TEST_F(IrChecker, RefusesAnOffsetWhoseBoundIsOneTooHigh)
{
    auto b = builder();
    const Value x = b.load(8, b.param(0), 0);
    const BlockId good = b.block(), bad = b.block();
    b.branch(Op::ULe, x, b.constant(57), good, bad);
    b.enter(good);
    b.ret(b.load(8, b.binary(Op::Add, b.data_addr(0, 64), x), 0));
    b.enter(bad);
    b.ret();
    EXPECT_EQ(first(), "bytes 0 to 64 of memory that has 64");
}

TEST_F(IrChecker, AcceptsAnOffsetBoundedByAMask)
{
    auto b = builder();
    const Value x = b.binary(Op::Shl, b.binary(Op::And, b.load(8, b.param(0), 0), b.constant(7)), b.constant(3));
    b.ret(b.load(8, b.binary(Op::Add, b.data_addr(0, 64), x), 0));
    EXPECT_EQ(first(), "");
}

TEST_F(IrChecker, RefusesALookupResultUsedWithoutANullTest)
{
    auto b = builder();
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(1));
    const Value found = b.call_helper(1, {b.map_ref(0), key}, Mem::MapOrNull, 8);
    b.ret(b.load(8, found, 0));
    EXPECT_THAT(first(), HasSubstr("may be NULL"));
}

TEST_F(IrChecker, RefusesStoresToReadOnlyMemory)
{
    auto b = builder();
    b.store(8, b.param(0), 0, b.constant(1));
    b.ret();
    EXPECT_THAT(first(), HasSubstr("context cannot be changed"));
}

TEST_F(IrChecker, RefusesDirectAccessToUserOrKernelMemory)
{
    for (const Mem mem : {Mem::Kernel, Mem::User, Mem::None}) {
        m.functions[0].blocks.clear();
        m.functions[0].instrs.clear();
        auto b = builder();
        b.ret(b.load(8, b.load(8, b.param(0), 0, mem), 0));
        EXPECT_NE(first(), "") << static_cast<int>(mem);
    }
}

TEST_F(IrChecker, AcceptsALoadFromAKernelObject)
{
    auto b = builder();
    b.ret(b.load(8, b.call_helper(158, {}, Mem::Btf), 100000));
    EXPECT_EQ(first(), "");
}

TEST_F(IrChecker, RefusesStackReadsBeforeAWrite)
{
    auto b = builder();
    const Value slot = b.stack_addr(b.slot(16));
    b.store(8, slot, 0, b.constant(1));
    b.ret(b.load(8, slot, 8));
    EXPECT_THAT(first(), HasSubstr("before it is written"));
}

TEST_F(IrChecker, RefusesAKeyWrittenOnOneBranchOnly)
{
    auto b = builder();
    const Value key = b.stack_addr(b.slot(8));
    const BlockId yes = b.block(), done = b.block();
    b.branch(Op::Eq, b.load(8, b.param(0), 0), b.constant(1), yes, done);
    b.enter(yes);
    b.store(8, key, 0, b.constant(1));
    b.jump(done);
    b.enter(done);
    b.ret(b.call_helper(1, {b.map_ref(0), key}, Mem::MapOrNull, 8));
    EXPECT_THAT(first(), HasSubstr("before it is written"));
}

TEST_F(IrChecker, RefusesUnalignedStackAccess)
{
    auto b = builder();
    b.store(8, b.stack_addr(b.slot(16)), 4, b.constant(1));
    b.ret();
    EXPECT_THAT(first(), HasSubstr("unaligned"));
}

TEST_F(IrChecker, ARefusalNamesTheLineOfTheSource)
{
    Source source{Source::Kind::CommandLine, "x", "BEGIN { x; }"};
    auto b = builder();
    b.at({.source = &source, .line = 12, .column = 3});
    b.store(8, b.param(0), 0, b.constant(1));
    b.ret();
    const auto result = verdict(check(m));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message,
              "internal error: line 12: the probe's context cannot be changed (in f); this is an error in dtrace, not "
              "in your program: please report it together with the program");
}

} // namespace
} // namespace dt::ir
