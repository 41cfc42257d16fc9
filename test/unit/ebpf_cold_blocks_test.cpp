// Tests which blocks of a function count as cold, that is, as rarely executed. Cold blocks are placed at the end of the
// function.
#include <gtest/gtest.h>

#include "dcompiler/ebpf/select.hpp"
#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"

namespace {

using namespace dt;
using ir::Op;

TEST(ColdBlocks, CodeAfterAFailedReadIsColdUntilItJoinsTheNormalPath)
{
    ir::Function f;
    ir::Builder b(f);
    const ir::Value buffer = b.stack_addr(b.slot(8));
    const ir::Value result = b.call_helper(ir::bpf::kProbeReadKernel, {buffer, b.constant(8), b.constant(1)});
    const ir::BlockId failed = b.block(), told = b.block(), join = b.block();
    b.branch(Op::SLt, result, b.constant(0), failed, join);
    b.enter(failed);
    b.jump(told);
    b.enter(told);
    b.jump(join);
    b.enter(join);
    b.ret();
    EXPECT_EQ(ebpf::cold_blocks(f, ir::reverse_post_order(f)), (std::vector<bool>{false, true, true, false}));
}

TEST(ColdBlocks, BlocksThatLoweringMarkedAndBlocksReachedOnlyFromThemAreCold)
{
    ir::Function f;
    ir::Builder b(f);
    const ir::BlockId narrow = b.block(), behind = b.block(), join = b.block();
    b.branch(Op::Eq, b.param(0), b.constant(0), join, narrow);
    b.enter(narrow);
    b.is_cold();
    b.jump(behind);
    b.enter(behind);
    b.jump(join);
    b.enter(join);
    b.ret();
    EXPECT_EQ(ebpf::cold_blocks(f, ir::reverse_post_order(f)), (std::vector<bool>{false, true, true, false}));
}

TEST(ColdBlocks, OrdinaryComparisonsMakeNoBlockCold)
{
    ir::Function f;
    ir::Builder b(f);
    const ir::BlockId yes = b.block(), no = b.block();
    b.branch(Op::Eq, b.param(0), b.constant(0), yes, no);
    b.enter(yes);
    b.ret();
    b.enter(no);
    b.ret();
    EXPECT_EQ(ebpf::cold_blocks(f, ir::reverse_post_order(f)), std::vector<bool>(3, false));
}

} // namespace
