// Tests the operators of BPF instructions against the standard of the instruction set (RFC 9669).
#include <gtest/gtest.h>

#include "test/unit/vm_assembler.hpp"

namespace {

using namespace dt::vm::assembler;

struct Arithmetic : EachExecutor {};
struct Jumps : EachExecutor {};

INSTANTIATE_TEST_SUITE_P(Executors, Arithmetic, EachExecutor::executors(), EachExecutor::name);
INSTANTIATE_TEST_SUITE_P(Executors, Jumps, EachExecutor::executors(), EachExecutor::name);

constexpr uint64_t kMinus1 = ~uint64_t{0};
constexpr uint64_t kLowest = uint64_t{1} << 63;

TEST_P(Arithmetic, AdditionSubtractionAndMultiplicationWrap)
{
    EXPECT_EQ(compute(BPF_ADD, kMinus1, 2), 1u);
    EXPECT_EQ(compute(BPF_SUB, 1, 2), kMinus1);
    EXPECT_EQ(compute(BPF_MUL, 0x100000001, 0x100000001), 0x200000001u);
}

TEST_P(Arithmetic, BitOperatorsWorkOnAllBits)
{
    EXPECT_EQ(compute(BPF_OR, 0xf0, 0x0f), 0xffu);
    EXPECT_EQ(compute(BPF_AND, 0xff0, 0x0ff), 0x0f0u);
    EXPECT_EQ(compute(BPF_XOR, 0xff, 0x0f), 0xf0u);
}

TEST_P(Arithmetic, DivisionIsUnsigned)
{
    EXPECT_EQ(compute(BPF_DIV, 7, 2), 3u);
    EXPECT_EQ(compute(BPF_DIV, kMinus1, 2), 0x7fffffffffffffffu);
    EXPECT_EQ(compute(BPF_MOD, kMinus1, 10), 5u); // the dividend is 2^64 - 1
}

TEST_P(Arithmetic, DivisionByZeroGivesZeroAndModuloByZeroTheDividend)
{
    EXPECT_EQ(compute(BPF_DIV, 7, 0), 0u);
    EXPECT_EQ(compute(BPF_MOD, 7, 0), 7u);
    EXPECT_EQ(compute32(BPF_DIV, 7, 0x100000000), 0u);
    EXPECT_EQ(compute32(BPF_MOD, 0x500000007, 0), 7u);
}

TEST_P(Arithmetic, SignedDivisionTruncates)
{
    EXPECT_EQ(compute(BPF_DIV, static_cast<uint64_t>(-7), 2, 1), static_cast<uint64_t>(-3));
    EXPECT_EQ(compute(BPF_MOD, static_cast<uint64_t>(-7), 2, 1), kMinus1);
    EXPECT_EQ(compute(BPF_DIV, kLowest, kMinus1, 1), kLowest);
    EXPECT_EQ(compute(BPF_MOD, kLowest, kMinus1, 1), 0u);
    EXPECT_EQ(compute(BPF_DIV, 5, 0, 1), 0u);
    EXPECT_EQ(compute(BPF_MOD, 5, 0, 1), 5u);
}

TEST_P(Arithmetic, SignedDivisionOfThirtyTwoBitsZeroExtends)
{
    EXPECT_EQ(compute32(BPF_DIV, 0xfffffff9, 2, 1), 0xfffffffdu); // the quotient of -7 and 2 is truncated to -3
    EXPECT_EQ(compute32(BPF_MOD, 0xfffffff9, 2, 1), 0xffffffffu);
    EXPECT_EQ(compute32(BPF_DIV, 0x80000000, 0xffffffff, 1), 0x80000000u);
}

TEST_P(Arithmetic, ShiftCountsAreReducedToTheirLowBits)
{
    EXPECT_EQ(compute(BPF_LSH, 1, 63), kLowest);
    EXPECT_EQ(compute(BPF_LSH, 1, 64), 1u);
    EXPECT_EQ(compute(BPF_RSH, kLowest, 127), 1u);
    EXPECT_EQ(compute(BPF_ARSH, kLowest, 63), kMinus1);
    EXPECT_EQ(compute32(BPF_LSH, 1, 33), 2u);
}

TEST_P(Arithmetic, ArithmeticShiftKeepsTheSign)
{
    EXPECT_EQ(compute(BPF_ARSH, static_cast<uint64_t>(-8), 1), static_cast<uint64_t>(-4));
    EXPECT_EQ(compute32(BPF_ARSH, 0x80000000, 4), 0xf8000000u);
    EXPECT_EQ(compute(BPF_RSH, static_cast<uint64_t>(-8), 1), 0x7ffffffffffffffcu);
}

TEST_P(Arithmetic, NarrowResultsAreZeroExtended)
{
    EXPECT_EQ(compute32(BPF_ADD, 0xffffffff, 1), 0u);
    EXPECT_EQ(compute32(BPF_SUB, 0, 1), 0xffffffffu);
    EXPECT_EQ(compute32(BPF_MOV, 0, 0x1234567890abcdef), 0x90abcdefu);
    EXPECT_EQ(compute32(BPF_MUL, 0x80000001, 2), 2u);
}

TEST_P(Arithmetic, ImmediatesAreSignExtended)
{
    EXPECT_EQ(result({mov(R0, -1), leave()}), kMinus1);
    EXPECT_EQ(result({mov(R0, 0), alu(BPF_ADD, R0, -5), leave()}), static_cast<uint64_t>(-5));
    EXPECT_EQ(result({alu32(BPF_MOV, R0, -1), leave()}), 0xffffffffu);
}

TEST_P(Arithmetic, NegationIsTwoComplement)
{
    EXPECT_EQ(result({mov(R0, 5), alu(BPF_NEG, R0, 0), leave()}), static_cast<uint64_t>(-5));
    EXPECT_EQ(result({mov(R0, 5), alu32(BPF_NEG, R0, 0), leave()}), 0xfffffffbu);
}

TEST_P(Arithmetic, MovesCanSignExtend)
{
    EXPECT_EQ(compute(BPF_MOV, 0, 0x80, 8), static_cast<uint64_t>(-128));
    EXPECT_EQ(compute(BPF_MOV, 0, 0x12347fff, 16), 0x7fffu);
    EXPECT_EQ(compute(BPF_MOV, 0, 0x80000000, 32), 0xffffffff80000000u);
    EXPECT_EQ(compute32(BPF_MOV, 0, 0x80, 8), 0xffffff80u);
}

TEST_P(Arithmetic, AByteSwapReversesTheBytesOfItsWidth)
{
    const auto swapped = [](int code, int bits) {
        return result(join({wide(R0, 0x0102030405060708), {insn(code, R0, 0, 0, bits), leave()}}));
    };
    EXPECT_EQ(swapped(BPF_ALU | BPF_END | BPF_TO_BE, 16), 0x0807u);
    EXPECT_EQ(swapped(BPF_ALU | BPF_END | BPF_TO_BE, 32), 0x08070605u);
    EXPECT_EQ(swapped(BPF_ALU | BPF_END | BPF_TO_BE, 64), 0x0807060504030201u);
    EXPECT_EQ(swapped(BPF_ALU | BPF_END | BPF_TO_LE, 16), 0x0708u);
    EXPECT_EQ(swapped(BPF_ALU64 | BPF_END, 32), 0x08070605u);
}

TEST_P(Arithmetic, InstructionsThatTheVerifierRefusesAreErrors)
{
    EXPECT_NE(refusal({mov(R0, 1), alu(BPF_LSH, R0, 64), leave()}), "");
    EXPECT_NE(refusal({mov(R0, 1), alu32(BPF_LSH, R0, 32), leave()}), "");
    EXPECT_NE(refusal({mov(R0, 1), alu(BPF_DIV, R0, 0), leave()}), "");
    EXPECT_NE(refusal({mov(R10, 1), leave()}), "");
    EXPECT_NE(refusal({insn(0xff, R0, 0, 0, 0), leave()}), "");
}

TEST_P(Jumps, UnsignedConditionsCompareUnsigned)
{
    EXPECT_EQ(taken(BPF_JGT, kMinus1, 1), 1u);
    EXPECT_EQ(taken(BPF_JGE, 1, 1), 1u);
    EXPECT_EQ(taken(BPF_JLT, kMinus1, 1), 0u);
    EXPECT_EQ(taken(BPF_JLE, 1, 2), 1u);
}

TEST_P(Jumps, SignedConditionsCompareSigned)
{
    EXPECT_EQ(taken(BPF_JSGT, kMinus1, 1), 0u);
    EXPECT_EQ(taken(BPF_JSGE, kLowest, kLowest), 1u);
    EXPECT_EQ(taken(BPF_JSLT, kMinus1, 1), 1u);
    EXPECT_EQ(taken(BPF_JSLE, 2, 1), 0u);
}

TEST_P(Jumps, ConditionsTestEqualityAndBits)
{
    EXPECT_EQ(taken(BPF_JEQ, 5, 5), 1u);
    EXPECT_EQ(taken(BPF_JNE, 5, 5), 0u);
    EXPECT_EQ(taken(BPF_JSET, 6, 2), 1u);
    EXPECT_EQ(taken(BPF_JSET, 4, 2), 0u);
}

TEST_P(Jumps, ConditionsOfThirtyTwoBitsCompareTheLowHalves)
{
    EXPECT_EQ(taken(BPF_JEQ, 0x100000005, 5, true), 1u);
    EXPECT_EQ(taken(BPF_JEQ, 0x100000005, 5), 0u);
    EXPECT_EQ(taken(BPF_JSLT, 0x80000000, 0, true), 1u);
    EXPECT_EQ(taken(BPF_JSLT, 0x80000000, 0), 0u);
    EXPECT_EQ(taken(BPF_JGT, 0xffffffff, 0x100000000, true), 1u);
}

TEST_P(Jumps, ABackwardJumpMakesALoop)
{
    // for (r0 = 0; r0 != 10; ++r0) { }
    EXPECT_EQ(result({mov(R0, 0), alu(BPF_ADD, R0, 1), jump(BPF_JNE, R0, 10, -2), leave()}), 10u);
}

TEST_P(Jumps, AnEndlessLoopEndsAtTheInstructionLimit)
{
    EXPECT_NE(refusal({mov(R0, 0), jump(BPF_JA, 0, 0, -1), leave()}).find("more than"), std::string::npos);
}

TEST_P(Jumps, ExecutionPastTheLastInstructionIsAnError)
{
    EXPECT_NE(refusal({mov(R0, 0)}), "");
    EXPECT_NE(refusal({mov(R0, 0), jump(BPF_JA, 0, 0, 1000), leave()}), "");
    EXPECT_NE(refusal({mov(R0, 0), jump(BPF_JA, 0, 0, -1000), leave()}), "");
}

} // namespace
