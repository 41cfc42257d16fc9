// Tests the code sizes of clauses that -x cost reports. They are derived from the instructions and line tables of BPF
// programs.
#include <gmock/gmock.h>

#include <cstring>

#include <linux/bpf.h>

#include "libdtrace/annotate/annotate.hpp"
#include "test/unit/sema_helpers.hpp"

namespace dt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kFirstClause = "syscall::read:entry { n++; }";
constexpr const char* kSecondClause = "syscall::read:entry { m++; }";

bpf_insn insn(uint8_t code, uint8_t dst, uint8_t src = 0, int16_t off = 0, int32_t imm = 0)
{
    bpf_insn made{};
    made.code = code;
    made.dst_reg = dst & 0xf;
    made.src_reg = src & 0xf;
    made.off = off;
    made.imm = imm;
    return made;
}

const bpf_insn kMove = insn(BPF_ALU64 | BPF_MOV | BPF_K, 1), kExit = insn(BPF_JMP | BPF_EXIT, 0);

bpf_insn store(int16_t at)
{
    return insn(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, 1, at);
}

/// Returns a call instruction. `off` is relative to the next instruction.
bpf_insn call(int16_t off)
{
    return insn(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, off);
}

bpf_insn load_map(int32_t id)
{
    return insn(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, id);
}

/// Returns an entry of the line table: the code from `instruction` on belongs to the clause on source line `line`; with
/// line 0, to no clause.
CodeLine from(uint64_t instruction, uint32_t line)
{
    return {instruction * sizeof(bpf_insn), "test.d",
            line == 1   ? kFirstClause
            : line == 2 ? kSecondClause
                        : "",
            line, 1};
}

CodeFunction function_at(uint64_t first, const std::vector<bpf_insn>& insns, std::vector<CodeLine> lines)
{
    CodeFunction made{"f", first * sizeof(bpf_insn), std::vector<uint8_t>(insns.size() * sizeof(bpf_insn)),
                      std::move(lines)};
    std::memcpy(made.bytes.data(), insns.data(), made.bytes.size());
    return made;
}

class ClauseSizes : public testing::Test {
protected:
    /// Adds a program with the given functions, which executes the statements with the given ids.
    void add(std::vector<CodeFunction> functions, std::vector<uint32_t> statements)
    {
        Schema schema;
        schema.programs.push_back({"p", nullptr, {1}});
        schema.counted.push_back({1, std::move(statements), HookKind{}});
        const ProgramCode program{"p", std::move(functions)};
        sizing_.add({&program, 1}, schema);
    }

    consume::ClauseSize size(uint32_t statement) const
    {
        const auto found = sizing_.sizes().find(statement);
        return found == sizing_.sizes().end() ? consume::ClauseSize() : found->second;
    }

    test::Checked checked_{std::string(kFirstClause) + "\n" + kSecondClause};
    ClauseSizer sizing_{checked_.program().statements};
};

TEST_F(ClauseSizes, CodeOfACalledFunctionCountsForTheClauseThatCallsIt)
{
    add({function_at(0, {kMove, store(-40), call(2), kMove, kExit}, {from(0, 0), from(1, 1), from(3, 2), from(4, 0)}),
         function_at(5, {load_map(7), kMove, store(-8), kExit}, {})},
        {0, 1});
    EXPECT_EQ(size(0).instructions, 2U + 4U);
    EXPECT_EQ(size(0).stack, 64U + 32U);
    EXPECT_THAT(size(0).maps, ElementsAre(7U));
    EXPECT_EQ(size(1).instructions, 1U);
    EXPECT_EQ(size(1).stack, 64U);
    EXPECT_THAT(size(1).maps, IsEmpty());
}

TEST_F(ClauseSizes, TheStackOfACalledFunctionAddsToThatOfTheProgram)
{
    add({function_at(0, {store(-8), call(1), kExit}, {from(0, 0)}),
         function_at(3, {kMove, store(-100), kExit}, {from(3, 0), from(4, 1)})},
        {0, 1});
    // includes the first instruction, which prepares the clause and has no source line
    EXPECT_EQ(size(0).instructions, 3U);
    EXPECT_EQ(size(0).stack, 32U + 128U);
    EXPECT_EQ(size(1).instructions, 0U);
}

TEST_F(ClauseSizes, AnAddressBelowTheFramePointerIncreasesTheStackUse)
{
    const bpf_insn move = insn(BPF_ALU64 | BPF_MOV | BPF_X, 2, BPF_REG_10),
                   add_number = insn(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -200);
    add({function_at(0, {move, add_number, kMove, kExit}, {from(0, 1)})}, {0});
    EXPECT_EQ(size(0).stack, 224U);
    // this addition computes no stack address, because r2 does not contain the frame pointer
    add({function_at(0, {kMove, add_number, kExit}, {from(0, 2)})}, {1});
    EXPECT_EQ(size(1).stack, 32U);
}

TEST_F(ClauseSizes, TheSizeOfAClauseIsThatOfItsLargestProgramPlusAllMaps)
{
    add({function_at(0, {load_map(7), kMove, kExit}, {from(0, 1)})}, {0});
    add({function_at(0, {load_map(8), kMove, kMove, store(-80), kExit}, {from(0, 1)})}, {0});
    // The second program belongs to another clause.
    add({function_at(0, {load_map(9), kMove, kMove, kMove, kMove, kMove, kExit}, {from(0, 1)})}, {1});
    EXPECT_EQ(size(0).instructions, 5U);
    EXPECT_EQ(size(0).stack, 96U);
    EXPECT_THAT(size(0).maps, ElementsAre(7U, 8U));
}

} // namespace
} // namespace dt
