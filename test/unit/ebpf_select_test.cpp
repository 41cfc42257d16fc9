// Tests instruction selection. The expected code is as short as code that an engineer would write by hand.
#include <gtest/gtest.h>

#include "test/unit/ebpf_support.hpp"

namespace dt::test {
namespace {

using ir::Builder;
using ir::Mem;
using ir::Op;
using ir::Value;

TEST(EbpfSelect, ConstantsAreImmediateOperands)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    b.ret(b.binary(Op::Sub, b.binary(Op::And, b.constant(255), x), b.constant(3)));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "and  %r0, 255\n"
                       "add  %r0, -3\n"
                       "exit\n");
}

/// x + c is emitted as x - (-c): the verifier of Linux 6.12 derives wrong bounds of x from the bounds of an addition's
/// result.
TEST(EbpfSelect, IncrementsSubtractANegativeImmediate)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    b.ret(b.binary(Op::Add, x, b.constant(8)));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "sub  %r0, -8\n"
                       "exit\n");
}

TEST(EbpfSelect, LargeConstantsUseARegister)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.ret(b.binary(Op::Xor, b.load(8, b.param(0), 0), b.constant(0x123456789)));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "lddw %r5, 0x123456789\n"
                       "xor  %r0, %r5\n"
                       "exit\n");
}

TEST(EbpfSelect, ComparisonsMergeIntoBranches)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value less = b.binary(Op::ULt, b.load(8, b.param(0), 0), b.constant(10));
    const auto yes = b.block(), no = b.block();
    b.branch(Op::Ne, less, b.constant(0), yes, no);
    b.enter(yes);
    b.ret(b.constant(1));
    b.enter(no);
    b.ret(b.constant(2));
    EXPECT_EQ(code(m), "lddw %r5, [%r1]\n"
                       "jlt  %r5, 10, 2               ! -> 004\n"
                       "mov  %r0, 2\n"
                       "exit\n"
                       "mov  %r0, 1\n"
                       "exit\n");
}

TEST(EbpfSelect, ANullTestComparesWithZero)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(1));
    const Value found = b.call_helper(BPF_FUNC_map_lookup_elem, {b.map_ref(0), key}, Mem::MapOrNull, 8);
    const auto none = b.block(), have = b.block();
    b.branch(Op::Eq, found, b.constant(0), none, have);
    b.enter(have);
    b.ret(b.load(8, b.not_null(found), 0));
    b.enter(none);
    b.ret();
    EXPECT_EQ(code(m), "stdw [%fp-8], 1\n"
                       "lddw %r1, 0x0                 ! hash\n"
                       "mov  %r2, %fp\n"
                       "add  %r2, -8\n"
                       "call bpf_map_lookup_elem\n"
                       "jeq  %r0, 0, 2                ! -> 009\n"
                       "lddw %r0, [%r0]\n"
                       "exit\n"
                       "mov  %r0, 0\n"
                       "exit\n");
}

TEST(EbpfSelect, AddressesFoldConstantOffsets)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value base = b.load(8, b.param(0), 0, Mem::Btf);
    const Value at = b.binary(Op::Sub, b.binary(Op::Add, base, b.constant(100)), b.constant(4));
    b.ret(b.load(4, at, 16));
    EXPECT_EQ(code(m), "lddw %r5, [%r1]\n"
                       "ldw  %r0, [%r5+112]\n"
                       "exit\n");
}

TEST(EbpfSelect, TheAddressOfADataObjectIsLoadedOnce)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.store(8, b.data_addr(0, 64), 8, b.constant(1));
    b.store(4, b.data_addr(0, 48, 16), 0, b.constant(2));
    b.ret(b.load(8, b.data_addr(1, 64), 0));
    EXPECT_EQ(code(m), "lddw %r5, 0x0                 ! first\n"
                       "stdw [%r5+8], 1\n"
                       "stw  [%r5+16], 2\n"
                       "lddw %r5, 0x0                 ! second\n"
                       "lddw %r0, [%r5]\n"
                       "exit\n");
}

TEST(EbpfSelect, NarrowValuesAreExtended)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    const Value zero_extended = b.unary(Op::ZExt, x, 4), sign_extended = b.unary(Op::SExt, x, 4);
    const Value sum = b.binary(Op::Add, sign_extended, zero_extended);
    b.ret(b.unary(Op::BSwap, b.unary(Op::ZExt, sum, 2), 2));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "mov32 %r5, %r0\n"
                       "lsh  %r0, 32\n"
                       "arsh %r0, 32\n"
                       "add  %r0, %r5\n"
                       "and  %r0, 65535\n"
                       "be16 %r0\n"
                       "exit\n");
}

TEST(EbpfSelect, SignExtensionUsesOneInstructionIfAvailable)
{
    auto m = sketch();
    m.extends_signs = true;
    Builder b(m.functions[0]);
    const Value slot = b.stack_addr(b.slot(8)), x = b.load(8, b.param(0), 0);
    b.store(8, slot, 0, x);
    const Value loaded = b.load(4, slot, 0);
    b.ret(b.binary(Op::Add, b.unary(Op::SExt, loaded, 4), b.unary(Op::SExt, x, 2)));
    EXPECT_EQ(code(m), "lddw %r5, [%r1]\n"
                       "stdw [%fp-8], %r5\n"
                       "ldsw %r0, [%fp-8]\n"
                       "movs16 %r5, %r5\n"
                       "add  %r0, %r5\n"
                       "exit\n");
}

TEST(EbpfSelect, AValueUsedAsSignedAndAsUnsignedIsLoadedAsUnsigned)
{
    auto m = sketch();
    m.extends_signs = true;
    Builder b(m.functions[0]);
    const Value slot = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.load(8, b.param(0), 0));
    const Value loaded = b.load(4, slot, 0);
    b.ret(b.binary(Op::Add, b.unary(Op::SExt, loaded, 4), loaded));
    EXPECT_NE(code(m).find("ldw  %r5, [%fp-8]\n"
                           "movs32 %r0, %r5\n"),
              std::string::npos)
        << code(m);
}

TEST(EbpfSelect, ContextLoadsNeedNoExtension)
{
    auto m = sketch();
    m.extends_signs = true;
    Builder b(m.functions[0]);
    b.ret(b.unary(Op::SExt, b.load(4, b.param(0), 0), 4));
    EXPECT_EQ(code(m), "ldw  %r5, [%r1]\n"
                       "movs32 %r0, %r5\n"
                       "exit\n");
}

TEST(EbpfSelect, SignedDivisionByConstantsUsesImmediateOperands)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    b.ret(b.binary(Op::SDiv, b.binary(Op::SMod, x, b.constant(-7)), b.constant(3)));
    EXPECT_EQ(code(m), "lddw %r0, [%r1]\n"
                       "smod %r0, -7\n"
                       "sdiv %r0, 3\n"
                       "exit\n");
}

TEST(EbpfSelect, DivisionsByZeroAndOversizedShiftsAreNotEmitted)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value x = b.load(8, b.param(0), 0);
    const Value zero = b.constant(0);
    const Value a = b.binary(Op::UDiv, x, zero), c = b.binary(Op::UMod, x, zero),
                d = b.binary(Op::Shl, x, b.constant(65));
    b.ret(b.binary(Op::Add, b.binary(Op::Add, d, c), a));
    EXPECT_EQ(code(m).find("div"), std::string::npos);
    EXPECT_EQ(code(m).find("mod"), std::string::npos);
    EXPECT_NE(code(m).find("lsh  %r0, 1\n"), std::string::npos) << code(m);
}

TEST(EbpfSelect, UnusedValuesEmitNoCode)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.load(8, b.param(0), 0);
    b.binary(Op::Mul, b.load(8, b.param(0), 8), b.constant(9));
    b.ret();
    EXPECT_EQ(code(m), "mov  %r0, 0\nexit\n");
}

TEST(EbpfSelect, TheProgramCounterIsTheIndexOfTheInstructionThatUsesIt)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.store(8, b.data_addr(0, 64), 0, b.constant(1));
    b.ret(b.pc(0));
    EXPECT_EQ(code(m), "lddw %r5, 0x0                 ! first\n"
                       "stdw [%r5], 1\n"
                       "mov  %r0, 3\n"
                       "exit\n");
}

TEST(EbpfSelect, AtomicOperationsFetchIntoTheRegisterOfTheirOperand)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    const Value at = b.data_addr(0, 64);
    b.atomic_add(8, at, 8, b.constant(1));
    b.ret(b.atomic_xchg(4, at, 0, b.constant(7)));
    EXPECT_EQ(code(m), "mov  %r4, 1\n"
                       "lddw %r5, 0x0                 ! first\n"
                       "xadddw [%r5+8], %r4\n"
                       "mov  %r0, 7\n"
                       "xchgw [%r5], %r0\n"
                       "exit\n");
}

} // namespace
} // namespace dt::test
