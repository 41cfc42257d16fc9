// Tests the builder of intermediate code, and the text form of intermediate code.
#include <gtest/gtest.h>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {
namespace {

Function function()
{
    Function f;
    f.name = "f";
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    return f;
}

TEST(IrBuilder, TheTextFormShowsTheBuiltInstructions)
{
    Function f = function();
    f.section = "raw_tp/sys_enter";
    Builder b(f);
    const Value slot = b.stack_addr(b.slot(16));
    const Value x = b.load(4, b.param(0), 8);
    b.store(4, slot, 8, x);
    b.ret(b.unary(Op::SExt, x, 2));
    EXPECT_EQ(to_string(f), "function f(1) section raw_tp/sys_enter:\n"
                            "  slot 0 size 16 align 8\n"
                            "b0:\n"
                            "  %0 = stack 0 : stack[16]\n"
                            "  %1 = param 0 : context\n"
                            "  %2 = load.4 [%1 + 8]\n"
                            "  store.4 [%0 + 8], %2\n"
                            "  %3 = sext.2 %2\n"
                            "  return %3\n");
}

TEST(IrBuilder, KeepsPredecessorsInEdgeOrder)
{
    Function f = function();
    Builder b(f);
    const Value one = b.constant(1), two = b.constant(2);
    const BlockId yes = b.block(), done = b.block();
    b.branch(Op::ULt, one, two, yes, done);
    b.enter(yes);
    b.jump(done);
    b.enter(done);
    b.ret(b.phi({one, two}));
    EXPECT_EQ(f.blocks[done].preds, (std::vector<BlockId>{0, yes}));
    EXPECT_EQ(to_string(f), "function f(1):\n"
                            "b0:\n"
                            "  %0 = const 1\n"
                            "  %1 = const 2\n"
                            "  branch ult %0, %1, b1, b2\n"
                            "b1: <- b0\n"
                            "  jump b2\n"
                            "b2: <- b0, b1\n"
                            "  %2 = phi %0, %1\n"
                            "  return %2\n");
}

TEST(IrBuilder, PhisAreInsertedBeforeInstructionsThatWereAddedEarlier)
{
    Function f = function();
    Builder b(f);
    const Value one = b.constant(1);
    const BlockId next = b.block();
    b.jump(next);
    b.enter(next);
    b.constant(7);
    const Value phi = b.phi({one});
    EXPECT_EQ(f.blocks[next].instrs.front(), phi);
}

TEST(IrBuilder, ResultsOfNarrowLoadsHaveBoundedRanges)
{
    Function f = function();
    Builder b(f);
    const Value p = b.param(0);
    EXPECT_EQ(b.instr(b.load(1, p, 0)).range, (Range{0, 255}));
    EXPECT_EQ(b.instr(b.load(4, p, 0)).range, (Range{0, 0xffffffff}));
    EXPECT_EQ(b.instr(b.load(8, p, 0)).range, Range{});
    EXPECT_EQ(b.instr(b.unary(Op::SExt, p, 1)).range, (Range{-128, 127}));
}

TEST(IrBuilder, ASumWithAPointerPointsIntoTheSameRegion)
{
    Function f = function();
    Builder b(f);
    const Value p = b.data_addr(0, 64);
    const Value q = b.binary(Op::Add, b.constant(8), p);
    EXPECT_EQ(b.instr(q).mem, Mem::MapValue);
    EXPECT_EQ(b.instr(q).region, 64u);
    EXPECT_EQ(b.instr(b.binary(Op::Sub, q, p)).mem, Mem::None);
}

TEST(IrBuilder, CodeAfterATerminatorIsPutIntoANewBlock)
{
    Function f = function();
    Builder b(f);
    b.ret();
    EXPECT_TRUE(b.terminated());
    b.constant(3);
    EXPECT_EQ(f.blocks.size(), 2u);
    EXPECT_EQ(f.blocks[0].instrs.size(), 1u);
}

TEST(IrBuilder, SelectMergesOnlyArmsThatReachItsEnd)
{
    Function f = function();
    Builder b(f);
    const Value zero = b.constant(0), param = b.param(0);
    const Value both = b.select(
        Op::Ne, param, zero, [&] { return b.constant(1); }, [&] { return b.constant(2); });
    EXPECT_EQ(b.instr(both).op, Op::Phi);
    EXPECT_EQ(b.instr(both).args.size(), 2u);
    const auto leaves = [&] {
        b.ret(zero);
        return zero;
    };
    const Value one = b.select(Op::Ne, param, zero, leaves, [&] { return both; });
    EXPECT_EQ(one, both);
    EXPECT_EQ(f.blocks[b.current()].preds.size(), 1u);
    b.if_then(Op::Eq, one, zero, [&] { b.ret(one); });
    b.if_else(
        Op::Eq, one, zero, [&] { b.store(8, b.stack_addr(b.slot(8)), 0, one); }, [] {});
    EXPECT_EQ(f.blocks[b.current()].preds.size(), 2u);
    EXPECT_FALSE(b.terminated());
}

TEST(IrPrint, ModulesShowMapsDataAndCallees)
{
    Module m;
    m.maps.push_back({.name = "hash", .type = 1, .key_size = 8, .value_size = 16, .max_entries = 10, .flags = 1});
    m.data.push_back({.name = "state", .section = ".bss", .size = 64});
    m.functions.push_back(function());
    m.functions.push_back(function());
    m.functions[1].name = "g";
    Builder f(m.functions[0]);
    f.ret(f.call_local(1, {f.param(0)}));
    Builder g(m.functions[1]);
    g.ret(g.load(8, g.data_addr(0, 64, 8), -8));
    EXPECT_EQ(to_string(m), "map hash type 1 key 8 value 16 entries 10 flags 1\n"
                            "data state in .bss size 64\n"
                            "\n"
                            "function f(1):\n"
                            "b0:\n"
                            "  %0 = param 0 : context\n"
                            "  %1 = call g(%0)\n"
                            "  return %1\n"
                            "\n"
                            "function g(1):\n"
                            "b0:\n"
                            "  %0 = data 0 + 8 : value[64]\n"
                            "  %1 = load.8 [%0 - 8]\n"
                            "  return %1\n");
}

} // namespace
} // namespace dt::ir
