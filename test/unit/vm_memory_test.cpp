// Tests loads, stores, atomic operations, calls, and programs that are refused.
#include <gtest/gtest.h>

#include <cstring>

#include "test/unit/vm_assembler.hpp"

namespace {

using namespace dt::vm;
using namespace dt::vm::assembler;

struct MemoryAccess : EachExecutor {};
struct Atomics : EachExecutor {};
struct LocalCalls : EachExecutor {};

INSTANTIATE_TEST_SUITE_P(Executors, MemoryAccess, EachExecutor::executors(), EachExecutor::name);
INSTANTIATE_TEST_SUITE_P(Executors, Atomics, EachExecutor::executors(), EachExecutor::name);
INSTANTIATE_TEST_SUITE_P(Executors, LocalCalls, EachExecutor::executors(), EachExecutor::name);

/// Stores `value` at r10 - 8, and then runs `code`.
Code with_word(uint64_t value, Code code)
{
    return join({wide(R1, value), {store(BPF_DW, R10, -8, R1)}, std::move(code)});
}

Image with_section(Code code, bool writable = true)
{
    Image made = image(std::move(code));
    made.sections.push_back({writable ? ".data" : ".rodata", {1, 2, 3, 4, 5, 6, 7, 8}, writable});
    return made;
}

TEST_P(MemoryAccess, LoadsZeroExtend)
{
    EXPECT_EQ(result(with_word(0x8182838485868788, {load(BPF_B, R0, R10, -8), leave()})), 0x88u);
    EXPECT_EQ(result(with_word(0x8182838485868788, {load(BPF_H, R0, R10, -6), leave()})), 0x8586u);
    EXPECT_EQ(result(with_word(0x8182838485868788, {load(BPF_W, R0, R10, -4), leave()})), 0x81828384u);
    EXPECT_EQ(result(with_word(0x8182838485868788, {load(BPF_DW, R0, R10, -8), leave()})), 0x8182838485868788u);
}

TEST_P(MemoryAccess, LoadsCanSignExtend)
{
    EXPECT_EQ(result(with_word(0x80, {insn(BPF_LDX | 0x80 | BPF_B, R0, R10, -8, 0), leave()})),
              static_cast<uint64_t>(-128));
    EXPECT_EQ(result(with_word(0x80000000, {insn(BPF_LDX | 0x80 | BPF_W, R0, R10, -8, 0), leave()})),
              0xffffffff80000000u);
}

TEST_P(MemoryAccess, NarrowStoresKeepTheOtherBytes)
{
    EXPECT_EQ(
        result(with_word(0x1111111111111111, {store_imm(BPF_H, R10, -6, 0x2222), load(BPF_DW, R0, R10, -8), leave()})),
        0x1111111122221111u);
    EXPECT_EQ(result(with_word(0, {store_imm(BPF_DW, R10, -8, -1), load(BPF_DW, R0, R10, -8), leave()})), ~uint64_t{0});
}

TEST_P(MemoryAccess, TheContextCannotBeWritten)
{
    TestedEngine vm(image({load(BPF_DW, R0, R1, 8), leave()}));
    const uint64_t words[] = {1, 42};
    const auto r = vm.run("f", {reinterpret_cast<const uint8_t*>(words), sizeof words});
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r.value(), 42u);
    TestedEngine writer(image({store_imm(BPF_DW, R1, 0, 1), mov(R0, 0), leave()}));
    EXPECT_FALSE(writer.run("f", {reinterpret_cast<const uint8_t*>(words), sizeof words}).ok());
}

TEST_P(MemoryAccess, DataSectionsKeepTheirContentsBetweenRuns)
{
    TestedEngine vm(with_section(join(
        {reference(R1, BPF_PSEUDO_MAP_VALUE, 0, 4), {load(BPF_W, R0, R1, 0), store_imm(BPF_W, R1, 0, 9), leave()}})));
    EXPECT_EQ(vm.run("f").value(), 0x08070605u);
    EXPECT_EQ(vm.run("f").value(), 9u);
    EXPECT_EQ(vm.section(".data")[4], 9);
}

TEST_P(MemoryAccess, ReadOnlyDataCannotBeWritten)
{
    TestedEngine vm(with_section(
        join({reference(R1, BPF_PSEUDO_MAP_VALUE, 0), {store_imm(BPF_W, R1, 0, 9), mov(R0, 0), leave()}}), false));
    const auto r = vm.run("f");
    ASSERT_FALSE(r.ok());
    EXPECT_NE(r.error().message.find("instruction 2 of f: store of 4 bytes"), std::string::npos);
}

TEST_P(MemoryAccess, AccessToInvalidAddressesIsAnError)
{
    EXPECT_NE(refusal({mov(R1, 0), load(BPF_W, R0, R1, 0), leave()}), "");
    EXPECT_NE(refusal({load(BPF_DW, R0, R10, 0), leave()}), "");
    EXPECT_NE(refusal({store_imm(BPF_DW, R10, -520, 0), mov(R0, 0), leave()}), "");
    EXPECT_NE(refusal(join({wide(R1, ~uint64_t{0}), {load(BPF_DW, R0, R1, 0), leave()}})), "");
    EXPECT_NE(refusal(join({wide(R1, ~uint64_t{3}), {load(BPF_DW, R0, R1, 0), leave()}})), "");
}

TEST_P(MemoryAccess, AccessAcrossTheEndOfARegionIsAnError)
{
    TestedEngine vm(with_section(join({reference(R1, BPF_PSEUDO_MAP_VALUE, 0, 5), {load(BPF_W, R0, R1, 0), leave()}})));
    EXPECT_FALSE(vm.run("f").ok());
}

TEST_P(MemoryAccess, TheStackMustBeWrittenBeforeItIsRead)
{
    EXPECT_NE(refusal({load(BPF_DW, R0, R10, -8), leave()}).find("never written"), std::string::npos);
    EXPECT_NE(refusal({store_imm(BPF_W, R10, -8, 1), load(BPF_DW, R0, R10, -8), leave()}).find("stack byte -4"),
              std::string::npos);
}

TEST_P(MemoryAccess, StackAccessMustBeAligned)
{
    EXPECT_NE(refusal({store_imm(BPF_DW, R10, -12, 1), mov(R0, 0), leave()}).find("misaligned"), std::string::npos);
}

TEST_P(MemoryAccess, RegistersMustBeWrittenBeforeTheyAreRead)
{
    EXPECT_NE(refusal({mov_reg(R0, R3), leave()}).find("R3 has no value"), std::string::npos);
    EXPECT_NE(refusal({leave()}).find("R0 has no value"), std::string::npos);
    EXPECT_NE(refusal({mov(R1, 1), helper(BPF_FUNC_ktime_get_ns), mov_reg(R0, R1), leave()}).find("R1 has no value"),
              std::string::npos);
}

TEST_P(Atomics, AddOrAndXorChangeMemory)
{
    const auto after = [](int op, uint64_t start, int64_t operand) {
        return result(
            with_word(start, {mov(R2, operand), atomic(BPF_DW, op, R10, -8, R2), load(BPF_DW, R0, R10, -8), leave()}));
    };
    EXPECT_EQ(after(BPF_ADD, 40, 2), 42u);
    EXPECT_EQ(after(BPF_OR, 5, 2), 7u);
    EXPECT_EQ(after(BPF_AND, 7, 5), 5u);
    EXPECT_EQ(after(BPF_XOR, 7, 5), 2u);
}

TEST_P(Atomics, FetchReturnsThePreviousValue)
{
    EXPECT_EQ(
        result(with_word(40, {mov(R2, 2), atomic(BPF_DW, BPF_ADD | BPF_FETCH, R10, -8, R2), mov_reg(R0, R2), leave()})),
        40u);
    EXPECT_EQ(result(with_word(0xffffffff, {mov(R2, 2), atomic(BPF_W, BPF_ADD | BPF_FETCH, R10, -8, R2),
                                            load(BPF_DW, R0, R10, -8), leave()})),
              1u);
}

TEST_P(Atomics, ExchangeStoresAValueAndReturnsThePreviousOne)
{
    EXPECT_EQ(result(with_word(40, {mov(R2, 2), atomic(BPF_DW, BPF_XCHG, R10, -8, R2), load(BPF_DW, R0, R10, -8),
                                    alu(BPF_MUL, R0, 100), alu_reg(BPF_ADD, R0, R2), leave()})),
              240u);
}

TEST_P(Atomics, CompareExchangeStoresOnlyOnAMatch)
{
    const auto after = [](int64_t expected) {
        return result(
            with_word(40, {mov(R0, expected), mov(R2, 2), atomic(BPF_DW, BPF_CMPXCHG, R10, -8, R2),
                           load(BPF_DW, R3, R10, -8), alu(BPF_MUL, R0, 100), alu_reg(BPF_ADD, R0, R3), leave()}));
    };
    EXPECT_EQ(after(40), 4002u);
    EXPECT_EQ(after(41), 4040u);
}

TEST_P(Atomics, AreRefusedIfUnalignedOrNarrow)
{
    EXPECT_NE(refusal(with_word(0, {mov(R2, 2), atomic(BPF_DW, BPF_ADD, R10, -12, R2), mov(R0, 0), leave()})), "");
    EXPECT_NE(refusal(with_word(0, {mov(R2, 2), atomic(BPF_H, BPF_ADD, R10, -8, R2), mov(R0, 0), leave()})), "");
    EXPECT_NE(refusal(with_word(0, {mov(R2, 2), atomic(BPF_DW, 0x33, R10, -8, R2), mov(R0, 0), leave()})), "");
}

TEST_P(LocalCalls, ArgumentsArePassedAndRegistersAreSaved)
{
    // f: r6 = 7; r0 = g(5); return r0 + r6.   g: r6 = 1; return r1 * 2.
    Image made = image({mov(R6, 7), mov(R1, 5), call_local(2), alu_reg(BPF_ADD, R0, R6), leave(), mov(R6, 1),
                        mov_reg(R0, R1), alu(BPF_MUL, R0, 2), leave()});
    TestedEngine vm(made);
    EXPECT_EQ(vm.run("f").value(), 17u);
}

TEST_P(LocalCalls, ACalleeHasItsOwnStackAndCanAccessThatOfItsCaller)
{
    // f: *(r10-8) = 3; g(r10-8); return *(r10-8).   g: *(r10-8) = 9; *r1 = 4.
    EXPECT_EQ(result({store_imm(BPF_DW, R10, -8, 3), mov_reg(R1, R10), alu(BPF_ADD, R1, -8), call_local(2),
                      load(BPF_DW, R0, R10, -8), leave(), store_imm(BPF_DW, R10, -8, 9), store_imm(BPF_DW, R1, 0, 4),
                      mov(R0, 0), leave()}),
              4u);
}

TEST_P(LocalCalls, TheStackOfACalleeIsInvalidAfterItsReturn)
{
    // g returns the address of its own stack.
    EXPECT_NE(refusal({call_local(2), load(BPF_DW, R0, R0, -8), leave(), store_imm(BPF_DW, R10, -8, 9),
                       mov_reg(R0, R10), leave()}),
              "");
}

TEST_P(LocalCalls, TheStackOfAllCallsIsLimited)
{
    EXPECT_NE(refusal({store_imm(BPF_DW, R10, -256, 1), call_local(2), mov(R0, 0), leave(),
                       store_imm(BPF_DW, R10, -264, 1), mov(R0, 0), leave()})
                  .find("bytes of stack"),
              std::string::npos);
    EXPECT_NE(refusal({call_local(-1), leave()}).find("frames"), std::string::npos);
}

TEST_P(LocalCalls, UnknownFunctionsAndHelpersAreErrors)
{
    TestedEngine vm(image({helper(9999), leave()}));
    EXPECT_FALSE(vm.run("nothing").ok());
    EXPECT_NE(vm.run("f").error().message.find("helper 9999"), std::string::npos);
}

TEST(MemoryRegions, MustNotOverlap)
{
    Memory memory;
    uint8_t bytes[16];
    EXPECT_TRUE(memory.lend_at(0x1000, bytes, Kind::Kernel).ok());
    EXPECT_FALSE(memory.lend_at(0x100f, bytes, Kind::Kernel).ok());
    EXPECT_FALSE(memory.lend_at(0xff8, bytes, Kind::Kernel).ok());
    EXPECT_TRUE(memory.lend_at(0x1010, bytes, Kind::Kernel).ok());
    EXPECT_EQ(memory.find(0x1008, 16), nullptr);
    EXPECT_NE(memory.find(0x1008, 8), nullptr);
}

} // namespace
