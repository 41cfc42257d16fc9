// Tests register allocation: register choice, spilling, and frame limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dcompiler/object/emit.hpp"
#include "test/unit/ebpf_support.hpp"

namespace dt::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;
using testing::HasSubstr;
using testing::Not;

TEST(EbpfRegalloc, ArgumentsOfACallAreComputedInTheArgumentRegisters)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0), y = b.load(8, b.param(0), 8);
    b.ret(b.call_helper(BPF_FUNC_probe_read_kernel, {x, b.constant(8), y}));
    EXPECT_EQ(code(m), "lddw %r5, [%r1]\n"
                       "lddw %r3, [%r1+8]\n"
                       "mov  %r1, %r5\n"
                       "mov  %r2, 8\n"
                       "call bpf_probe_read_kernel\n"
                       "exit\n");
}

TEST(EbpfRegalloc, ValuesNeededAfterACallAreInCalleeSavedRegisters)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    const Value random = b.call_helper(BPF_FUNC_get_prandom_u32, {});
    b.ret(b.binary(Op::Add, x, random));
    EXPECT_THAT(code(m), HasSubstr("lddw %r6, [%r1]\ncall bpf_get_prandom_u32\n"));
}

TEST(EbpfRegalloc, AFifthValueNeededAfterACallIsSpilledAndReloadedOnce)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    std::vector<Value> values;
    for (int i = 0; i < 5; ++i)
        values.push_back(b.load(8, b.param(0), 8 * i));
    Value sum = b.call_helper(BPF_FUNC_get_prandom_u32, {});
    for (const Value value : values)
        sum = b.binary(Op::Add, sum, value);
    b.ret(sum);
    const std::string text = code(m);
    EXPECT_THAT(text, HasSubstr("stdw [%fp-8], "));
    EXPECT_THAT(text, HasSubstr(", [%fp-8]\n"));
    EXPECT_THAT(text, Not(HasSubstr("[%fp-16]")));
}

TEST(EbpfRegalloc, AddressesAreComputedAgainInsteadOfSpilled)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value slot = b.stack_addr(b.slot(8)), map = b.map_ref(0);
    b.store(8, slot, 0, b.constant(0));
    for (int i = 0; i < 3; ++i)
        b.call_helper(BPF_FUNC_map_delete_elem, {map, slot});
    b.ret();
    EXPECT_THAT(code(m), Not(HasSubstr("%r6")));
}

TEST(EbpfRegalloc, PhisNeedNoMoveInstructions)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    const auto negative = b.block(), done = b.block();
    b.branch(Op::SLt, x, b.constant(0), negative, done);
    b.enter(negative);
    const Value turned = b.unary(Op::Neg, x);
    b.jump(done);
    b.enter(done);
    b.ret(b.phi({x, turned}));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "jsge %r0, 0, 1                ! -> 003\n"
                       "neg  %r0\n"
                       "exit\n");
}

TEST(EbpfRegalloc, SwappedPhisAreExchangedCorrectly)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0), y = b.load(8, b.param(0), 8);
    const auto yes = b.block(), done = b.block();
    b.branch(Op::ULt, x, y, yes, done);
    b.enter(yes);
    b.jump(done);
    b.enter(done);
    const Value low = b.phi({y, x}), high = b.phi({x, y});
    b.ret(b.binary(Op::Sub, high, low));
    // checks only that code is generated; test/verify runs random programs in the kernel and checks their results
    EXPECT_TRUE(ebpf::generate(m, 0).ok());
}

TEST(EbpfFrame, StackSlotsAreAlignedAndCounted)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value small = b.stack_addr(b.slot(4, 4)), large = b.stack_addr(b.slot(24));
    b.store(4, small, 0, b.constant(1));
    b.store(8, large, 16, b.constant(2));
    b.ret();
    EXPECT_EQ(code(m), "stw  [%fp-4], 1\n"
                       "stdw [%fp-16], 2\n" // word at offset 16 of the stack slot, which begins at %fp-32
                       "mov  %r0, 0\nexit\n");
    EXPECT_EQ(ebpf::generate(m, 0).value().frame, 32u);
}

TEST(EbpfFrame, TheErrorForAnOversizedFrameNamesFunctionAndLine)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.at({.line = 7});
    b.store(8, b.stack_addr(b.slot(520)), 0, b.constant(1));
    b.ret();
    const auto code = ebpf::generate(m, 0);
    ASSERT_FALSE(code.ok());
    EXPECT_THAT(code.error().message, HasSubstr("function prog, line 7: needs 520 bytes of stack"));
}

TEST(EbpfFrame, AllFunctionsInAChainOfCallsShareTheStackLimit)
{
    auto m = sketch();
    for (int i = 0; i < 2; ++i) {
        ir::Function& f = m.functions.emplace_back();
        f.name = "sub" + std::to_string(i);
        f.params = 0;
    }
    const auto fill = [&](uint32_t function, int callee) {
        Builder b(m.functions[function]);
        const Value slot = b.stack_addr(b.slot(200));
        b.store(8, slot, 0, b.constant(1));
        b.ret(callee > 0 ? b.call_local(static_cast<uint32_t>(callee), {}) : b.load(8, slot, 0));
    };
    fill(2, 0);
    fill(1, 2);
    fill(0, 1);
    const auto elf = emit_elf(m);
    // refused: three nested calls with stack frames of 224 bytes exceed the limit of 512 bytes
    ASSERT_FALSE(elf.ok());
    EXPECT_THAT(elf.error().message, HasSubstr("672 bytes"));
}

TEST(EbpfAssemble, FunctionsTooLongForTheRangeOfAJumpAreRefused)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value at = b.data_addr(0, 64);
    for (int i = 0; i < 33000; ++i)
        b.store(8, at, 0, b.constant(i));
    b.ret();
    const auto code = ebpf::generate(m, 0);
    ASSERT_FALSE(code.ok());
    EXPECT_THAT(code.error().message, HasSubstr("too many for one function"));
}

} // namespace
} // namespace dt::test
