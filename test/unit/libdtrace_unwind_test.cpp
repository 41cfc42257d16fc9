// Tests unwind tables from .eh_frame: call frame programs, packed rules, and their memory. The bytes were written by
// hand according to DWARF 5 (6.4).
#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <thread>

#include "bpf-runtime/stacks/unwind_places.h"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/stacks/unwind_program.hpp"
#include "libdtrace/stacks/unwind_rows.hpp"
#include "libdtrace/stacks/unwind_table.hpp"
#include "libdtrace/stacks/unwinder.hpp"
#include "machine/conventions.hpp"

namespace dt {
static void PrintTo(const UnwindRow& row, std::ostream* out)
{
    *out << std::hex << row.address << ": cfa " << int{row.rule.cfa} << " " << row.rule.cfa_offset << ", fp "
         << int{row.rule.fp} << " " << row.rule.fp_offset;
}

} // namespace dt

namespace {

using dt::UnwindRow;
using Bytes = std::vector<uint8_t>;

constexpr dt_unwind_rule kNone{DT_CFA_NONE, 0, 0, 0};

/// The rule at the entry of a function: CFA = rsp + 8, and the return address is at CFA - 8.
const Bytes kEntry = {0x0c, 7, 8, 0x90, 1};

std::vector<UnwindRow> run(const Bytes& program, uint64_t begin = 0x1000, uint64_t end = 0x1100)
{
    dt::UnwindCommon common;
    common.program = kEntry;
    std::vector<UnwindRow> rows;
    dt::run_unwind_programs(common, program, begin, end, rows);
    return rows;
}

using Rows = std::vector<UnwindRow>;

Rows unpacked(const dt::PackedUnwindRows& packed)
{
    Rows rows;
    for (auto each = packed.begin(); !each.at_end(); each.next())
        rows.push_back(each.row());
    return rows;
}

std::vector<dt::UnwindPart> parts_of(const Rows& rows, dt::UnwindRules& rules)
{
    const dt::PackedUnwindRows packed(rows);
    dt::UnwindParts parts(packed, rules);
    std::vector<dt::UnwindPart> all;
    while (std::optional<dt::UnwindPart> part = parts.next())
        all.push_back(std::move(*part));
    return all;
}

TEST(UnwindProgram, RulesThatUseTheFramePointerAreRecognized)
{
    // After push rbp (1 byte): def_cfa_offset 16, rbp at CFA - 16. After mov: def_cfa_register rbp. At 0x20: restore,
    // def_cfa rsp 8.
    const Bytes program = {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x5c, 0xc6, 0x0c, 7, 8};
    EXPECT_EQ(run(program), (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                                  {0x1001, {DT_CFA_SP, DT_FP_AT_CFA, -16, 16}},
                                  {0x1004, {DT_CFA_FP, DT_FP_AT_CFA, -16, 16}},
                                  {0x1020, {DT_CFA_SP, DT_FP_SAME, 0, 8}}}));
}

TEST(UnwindProgram, RememberedStateIsRestored)
{
    // After sub rsp: def_cfa_offset 4104, remember_state. At an early return: def_cfa_offset 8. After it:
    // restore_state.
    const Bytes program = {0x44, 0x0e, 0x88, 0x20, 0x0a, 0x48, 0x0e, 8, 0x41, 0x0b};
    EXPECT_EQ(run(program), (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                                  {0x1004, {DT_CFA_SP, DT_FP_SAME, 0, 4104}},
                                  {0x100c, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                                  {0x100d, {DT_CFA_SP, DT_FP_SAME, 0, 4104}}}));
}

TEST(UnwindProgram, AnUndefinedReturnAddressEndsTheStack)
{
    EXPECT_EQ(run({0x07, 16}), (Rows{{0x1000, {DT_CFA_END, 0, 0, 0}}}));
}

TEST(UnwindProgram, AnAlignedStackIsUnwound)
{
    // CFA = *(rbp - 8), and the caller's rbp = *rbp.
    EXPECT_EQ(run({0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0}),
              (Rows{{0x1000, {DT_CFA_AT_FP, DT_FP_AT_FP, 0, 0xfff8}}}));
}

TEST(UnwindProgram, PltEntriesAreUnwound)
{
    // CFA = rsp + 8 + ((rip & 15) >= 11) << 3
    EXPECT_EQ(run({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}),
              (Rows{{0x1000, {DT_CFA_PLT, 0, 0, 11}}}));
}

TEST(UnwindProgram, RulesOfTheInnermostFrameMayUseAnyRegister)
{
    constexpr unsigned char kInRegister = DT_CFA_SP | DT_RA_REGISTER << DT_RA_BITS,
                            kAlone = DT_CFA_REGISTER | DT_RA_AT_FP_OFFSET << DT_RA_BITS;
    constexpr int kRbx = 5, kRcx = 11, kRdi = 14; // indexes of the registers rbx, rcx and rdi in struct pt_regs
    // the rule is CFA = rbx + 8
    EXPECT_EQ(run({0x0d, 3}), (Rows{{0x1000, {DT_CFA_REGISTER, DT_FP_SAME, 0, 8 * 256 + kRbx}}}));
    EXPECT_EQ(run({0x09, 16, 2}), (Rows{{0x1000, {kInRegister, DT_FP_SAME, kRcx, 8}}})); // the return address is in rcx
    // CFA = rdi - 16, and the return address is at CFA + 32
    EXPECT_EQ(run({0x12, 5, 2, 0x11, 16, 0x7c}), (Rows{{0x1000, {kAlone, DT_FP_SAME, 32, -16 * 256 + kRdi}}}));
}

TEST(UnwindProgram, RulesWithOtherRegistersOrExpressionsAreUnsupported)
{
    EXPECT_EQ(run({0x0d, 17}), (Rows{{0x1000, kNone}})); // the rule would be CFA = xmm0 + 8
    // the rule would be an expression with the constant value 1 as CFA
    EXPECT_EQ(run({0x0f, 2, 0x31, 0x31}), (Rows{{0x1000, kNone}}));
    EXPECT_EQ(run({0x09, 16, 17}), (Rows{{0x1000, kNone}})); // the rule would be a return address in xmm0
    // CFA - 8 is the return address itself, not its location
    EXPECT_EQ(run({0x14, 16, 1}), (Rows{{0x1000, kNone}}));
    EXPECT_EQ(run({0x16, 16, 1, 0x30}), (Rows{{0x1000, kNone}})); // the return address has the constant value 0
    // the caller's rbp has the constant value 0
    EXPECT_EQ(run({0x16, 6, 1, 0x30}), (Rows{{0x1000, {DT_CFA_SP, DT_FP_LOST, 0, 8}}}));
}

TEST(UnwindProgram, AfterAnUnknownInstructionThereIsNoRule)
{
    // The byte 0x3f is no known instruction.
    EXPECT_EQ(run({0x44, 0x3f}), (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}}, {0x1004, kNone}}));
    // Instruction restore_state without an earlier remember_state.
    EXPECT_EQ(run({0x44, 0x0b}), (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}}, {0x1004, kNone}}));
    // the operand of the last instruction is truncated
    EXPECT_EQ(run({0x44, 0x0e, 0x80}), (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}}, {0x1004, kNone}}));
    // this instruction advances beyond the end of the function
    EXPECT_EQ(run({0x04, 0xff, 0xff, 0xff, 0xff}), (Rows{{0x1000, kNone}}));
}

/// Runs a program for 64-bit Arm, where a function begins with CFA = sp and the return address in the link register.
std::vector<UnwindRow> run_linked(const Bytes& program)
{
    const Bytes entry = {0x0c, 31, 0};
    dt::UnwindCommon common;
    common.machine = dt::machine::named("arm64")->unwind;
    common.code_factor = 4;
    common.return_register = 30;
    common.program = entry;
    std::vector<UnwindRow> rows;
    dt::run_unwind_programs(common, program, 0x1000, 0x1100, rows);
    return rows;
}

constexpr unsigned char at_sp(unsigned place)
{
    return static_cast<unsigned char>(DT_CFA_SP | place << DT_RA_BITS);
}

TEST(UnwindProgram, TheLinkRegisterIsFoundWhereArm64FunctionsStoreIt)
{
    // a function that makes no calls needs no call frame instructions
    EXPECT_EQ(run_linked({}), (Rows{{0x1000, {at_sp(DT_RA_LINK), DT_FP_SAME, 0, 0}}}));
    // stp x29, x30, [sp, -32]!; mov x29, sp; at 0x20: ldp x29, x30
    EXPECT_EQ(run_linked({0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x41, 0x0d, 29, 0x46, 0xdd, 0xde, 0x0c, 31, 0}),
              (Rows{{0x1000, {at_sp(DT_RA_LINK), DT_FP_SAME, 0, 0}},
                    {0x1004, {at_sp(DT_RA_AFTER_FP), DT_FP_AT_CFA, -32, 32}},
                    {0x1008, {DT_CFA_FP | DT_RA_AFTER_FP << DT_RA_BITS, DT_FP_AT_CFA, -32, 32}},
                    {0x1020, {at_sp(DT_RA_LINK), DT_FP_SAME, 0, 0}}}));
    // str x30, [sp, -16]!
    EXPECT_EQ(run_linked({0x0e, 16, 0x9e, 2}), (Rows{{0x1000, {at_sp(DT_RA_AT_FP_OFFSET), DT_FP_SAME, -16, 16}}}));
    // x29 at CFA - 16, x30 at CFA - 32
    EXPECT_EQ(run_linked({0x0e, 32, 0x9d, 2, 0x9e, 4}),
              (Rows{{0x1000, {at_sp(DT_RA_AT_CFA_HIGH), DT_FP_AT_CFA, -16, -4 * (1 << 20) + 32}}}));
    EXPECT_EQ(run_linked({0x07, 30}), (Rows{{0x1000, {DT_CFA_END, 0, 0, 0}}}));
}

TEST(UnwindProgram, SignedReturnAddressesAreFoundLikeUnsignedOnes)
{
    // The instruction paciasp causes DW_CFA_AARCH64_negate_ra_state; all other bytes are those of the same function
    // without a signed return address. x86-64 has no such instruction.
    EXPECT_EQ(run_linked({0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3}).back(),
              (UnwindRow{0x1008, {at_sp(DT_RA_AFTER_FP), DT_FP_AT_CFA, -32, 32}}));
    EXPECT_EQ(run({0x2d}).back(), (UnwindRow{0x1000, kNone}));
}

/// Runs a program for i386, where a function begins with CFA = esp + 4 and the return address at CFA - 4.
std::vector<UnwindRow> run_narrow(const Bytes& program, bool signal = false)
{
    const Bytes entry = {0x0c, 4, 4, 0x88, 1};
    dt::UnwindCommon common;
    common.machine = dt::machine::native().narrow_unwind;
    common.data_factor = -4;
    common.return_register = 8;
    common.signal = signal;
    common.program = entry;
    std::vector<UnwindRow> rows;
    dt::run_unwind_programs(common, program, 0x1000, 0x1100, rows);
    return rows;
}

TEST(UnwindProgram, WordsOfThirtyTwoBitFunctionsHaveFourBytes)
{
    // After push ebx, push ebp (1 byte each), and sub esp.
    EXPECT_EQ(run_narrow({0x41, 0x0e, 8, 0x83, 2, 0x41, 0x0e, 12, 0x85, 3, 0x43, 0x0e, 40}),
              (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 4}},
                    {0x1001, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                    {0x1002, {DT_CFA_SP, DT_FP_AT_CFA, -12, 12}},
                    {0x1005, {DT_CFA_SP, DT_FP_AT_CFA, -12, 40}}}));
    // After push ebp and mov: def_cfa_register ebp.
    EXPECT_EQ(run_narrow({0x0e, 8, 0x85, 2, 0x0d, 5}), (Rows{{0x1000, {DT_CFA_FP, DT_FP_AT_CFA, -8, 8}}}));
    // An aligned stack: CFA = *(ebp - 4), and the caller's ebp = *ebp.
    EXPECT_EQ(run_narrow({0x0f, 3, 0x75, 0x7c, 0x06, 0x10, 5, 2, 0x75, 0}),
              (Rows{{0x1000, {DT_CFA_AT_FP, DT_FP_AT_FP, 0, 0xfffc}}}));
    EXPECT_EQ(run_narrow({0x0d, 1}), (Rows{{0x1000, kNone}})); // CFA = ecx + 4
    // the return address is undefined, so this is the outermost frame
    EXPECT_EQ(run_narrow({0x07, 8}), (Rows{{0x1000, {DT_CFA_END, 0, 0, 0}}}));
    EXPECT_EQ(run_narrow({0x88, 2}), (Rows{{0x1000, kNone}})); // the return address is at CFA - 8
    // CFA = esp + 4 + ((eip & 15) >= 11) << 2 in PLT entries of i386. The PLT expression of x86-64 is not valid for
    // i386 and gives no rule.
    EXPECT_EQ(run_narrow({0x0f, 11, 0x74, 4, 0x78, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x32, 0x24, 0x22}),
              (Rows{{0x1000, {DT_CFA_PLT, 0, 0, 11}}}));
    EXPECT_EQ(run_narrow({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}),
              (Rows{{0x1000, kNone}}));
}

TEST(UnwindProgram, SignalFramesOfThirtyTwoBitProgramsAreUnwound)
{
    // __kernel_sigreturn: CFA = *(esp + 32), eip at esp + 60. After popl %eax, both offsets are 4 less.
    EXPECT_EQ(run_narrow({0x0f, 3, 0x74, 32, 6, 0x10, 8, 2, 0x74, 60, 0x42, 0x0f, 3, 0x74, 28, 6, 0x10, 8, 2, 0x74, 56},
                         true),
              (Rows{{0x1000, {DT_CFA_SIGNAL, 0, 0, 4}}, {0x1002, {DT_CFA_SIGNAL, 0, 0, 0}}}));
    // __kernel_rt_sigreturn: eip at esp + 216
    EXPECT_EQ(run_narrow({0x0f, 4, 0x74, 0xbc, 1, 6, 0x10, 8, 3, 0x74, 0xd8, 1}, true),
              (Rows{{0x1000, {DT_CFA_SIGNAL, 0, 0, 160}}}));
    // A variant of the vdso describes the same locations by offsets instead of expressions: CFA = esp + 4, eip at CFA +
    // 56.
    EXPECT_EQ(run_narrow({0x0c, 4, 4, 0x11, 8, 0x72}, true), (Rows{{0x1000, {DT_CFA_SIGNAL, 0, 0, 4}}}));
    EXPECT_EQ(run_narrow({0x08, 8}, true), (Rows{{0x1000, kNone}})); // the return address is undefined
}

/// Looks up the unwind rule of an address in packed rows, as bpf-runtime/stacks/unwind.bpf.c does.
dt_unwind_rule look_up(const std::vector<dt::UnwindPart>& parts, const std::vector<dt_unwind_rule>& rules,
                       uint64_t address)
{
    for (const dt::UnwindPart& part : parts) {
        if (address < part.begin || address >= part.end)
            continue;
        const uint64_t place = address - part.base, low = place & ((1 << DT_UNWIND_PAGE_BITS) - 1);
        const auto rows = part.words.begin() + part.words[place >> DT_UNWIND_PAGE_BITS];
        const auto end = part.words.begin() + part.words[(place >> DT_UNWIND_PAGE_BITS) + 1];
        const auto after =
            std::upper_bound(rows, end, low, [](uint64_t wanted, uint32_t row) { return wanted < (row & 0xffff); });
        return rules[*(after - 1) >> 16];
    }
    return kNone;
}

TEST(PackedUnwindRows, UnpackToTheOriginalRows)
{
    const Rows rows{{0, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                    {0x401000, {DT_CFA_FP, DT_FP_AT_CFA, -16, 16}},
                    {0x401001, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                    {UINT64_MAX, kNone}};
    const auto packed = dt::PackedUnwindRows::deserialize(dt::PackedUnwindRows(rows).bytes());
    EXPECT_EQ(unpacked(packed), rows);
    EXPECT_EQ(packed.size(), 4U);
    EXPECT_EQ(packed.first(), 0U);
    EXPECT_EQ(packed.last(), UINT64_MAX);
    EXPECT_TRUE(dt::PackedUnwindRows(Rows()).empty());
    EXPECT_TRUE(unpacked(dt::PackedUnwindRows()).empty());
}

TEST(PackedUnwindRows, TakeAtMostAThirdOfTheUnpackedMemory)
{
    const Rows rows = dt::read_unwind_rows(dt::ElfFile("/proc/self/exe").get());
    EXPECT_LT(dt::PackedUnwindRows(rows).bytes().size(), rows.size() * sizeof(UnwindRow) / 3);
}

TEST(PackedUnwindRows, InvalidDataGivesNoRows)
{
    const Rows rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}}, {0x1010, kNone}};
    const std::string good = dt::PackedUnwindRows(rows).bytes();
    ASSERT_FALSE(dt::PackedUnwindRows::deserialize(good).empty());
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_TRUE(dt::PackedUnwindRows::deserialize(good.substr(0, size)).empty()) << size;
    std::string no_rule = good;
    no_rule.back() = 2;
    EXPECT_TRUE(dt::PackedUnwindRows::deserialize(no_rule).empty());
    const Rows not_growing{{0x1000, kNone}, {0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}}};
    EXPECT_TRUE(dt::PackedUnwindRows::deserialize(dt::PackedUnwindRows(not_growing).bytes()).empty());
    const Rows falling{{0x1000, kNone}, {0xfff, {DT_CFA_SP, DT_FP_SAME, 0, 8}}};
    EXPECT_TRUE(dt::PackedUnwindRows::deserialize(dt::PackedUnwindRows(falling).bytes()).empty());
}

TEST(UnwindTable, EveryAddressFindsItsRule)
{
    std::vector<UnwindRow> rows;
    std::mt19937_64 random(1); // NOLINT: a fixed seed, so that every run gets equal random numbers
    for (uint64_t address = 0x401000; rows.size() < 200'000;
         address += 1 + random() % (random() % 50 == 0 ? 100'000 : 40))
        rows.push_back(
            {address, {static_cast<unsigned char>(random() % 3), DT_FP_SAME, 0, static_cast<int>(random() % 30) * 8}});
    rows.push_back({rows.back().address + 1, kNone});

    std::vector<dt_unwind_rule> numbered(DT_UNWIND_RULES);
    dt::UnwindRules rules(numbered.data());
    const std::vector<dt::UnwindPart> parts = parts_of(rows, rules);
    EXPECT_GT(parts.size(), 2U);
    for (const dt::UnwindPart& part : parts)
        EXPECT_LE(part.words.size(), std::size_t{DT_UNWIND_CHUNK_WORDS});
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const dt_unwind_rule wanted = rows[i].rule.cfa == DT_CFA_NONE ? kNone : rows[i].rule;
        ASSERT_EQ(look_up(parts, numbered, rows[i].address), wanted) << i;
        ASSERT_EQ(look_up(parts, numbered, rows[i + 1].address - 1), wanted) << i;
    }
}

TEST(UnwindTable, RulesOfAMaliciousFileTakeABoundedShareOfTheMemory)
{
    std::vector<UnwindRow> rows;
    for (uint64_t i = 0; i < 2000; ++i)
        rows.push_back({i << 48, {DT_CFA_SP, DT_FP_SAME, 0, 8}});
    std::vector<dt_unwind_rule> numbered(DT_UNWIND_RULES);
    dt::UnwindRules rules(numbered.data());
    std::size_t words = 0;
    for (const dt::UnwindPart& part : parts_of(rows, rules))
        words += part.words.size();
    EXPECT_LE(words, std::size_t{DT_UNWIND_CHUNKS} * DT_UNWIND_CHUNK_WORDS / 3);
}

TEST(UnwindTable, RulesAreSharedAndTheirNumberIsBounded)
{
    std::vector<dt_unwind_rule> numbered(DT_UNWIND_RULES);
    dt::UnwindRules rules(numbered.data());
    EXPECT_EQ(rules.number(kNone), 0);
    EXPECT_EQ(rules.number({DT_CFA_SP, 0, 0, 8}), 1);
    EXPECT_EQ(rules.number({DT_CFA_SP, 0, 0, 16}), 2);
    EXPECT_EQ(rules.number({DT_CFA_SP, 0, 0, 8}), 1);
    for (int i = 0; i < DT_UNWIND_RULES; ++i)
        rules.number({DT_CFA_FP, 0, 0, i});
    EXPECT_EQ(rules.number({DT_CFA_FP, 0, 0, -1}), 0);
}

void put(Bytes& bytes, uint64_t number, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i, number >>= 8)
        bytes.push_back(static_cast<uint8_t>(number));
}

/// A table of Go 1.18 with three functions. The first has a frame of 0x20 bytes, the second is the outermost function,
/// and the third switches stacks.
Bytes go_table()
{
    const std::vector<uint8_t> flags = {0, 1, 2};
    // frame sizes, to which all three functions refer: 0 for 4 bytes of code, 32 for 27 bytes, 0 for 1 byte
    const Bytes frames = {0, 2, 4, 64, 27, 63, 1, 0};
    constexpr uint64_t kHeader = 72, kDescription = 40;
    Bytes table;
    put(table, 0xfffffff0, 4);
    put(table, 0x0801'0000, 4); // size of the smallest instruction: 1 byte; size of a pointer: 8 bytes
    for (const uint64_t number : {uint64_t{3}, uint64_t{0}, uint64_t{0x1000}, uint64_t{0}, uint64_t{0}, uint64_t{0},
                                  kHeader, kHeader + frames.size()})
        put(table, number, 8);
    table.insert(table.end(), frames.begin(), frames.end());
    for (uint64_t i = 0; i < 3; ++i) {
        put(table, 32 * i, 4);
        put(table, 28 + kDescription * i, 4);
    }
    put(table, 96, 4);
    for (uint64_t i = 0; i < 3; ++i) {
        const std::size_t begin = table.size();
        put(table, 0, 16);
        put(table, 1, 4); // offset of the frame sizes; 0 means that there are none
        table.resize(begin + 37);
        put(table, flags[i], 3);
    }
    return table;
}

TEST(GoUnwindTable, FunctionsHaveTheFrameSizesOfTheTable)
{
    Rows rows;
    dt::add_go_rows(go_table(), 0, {.word = 8}, rows);
    EXPECT_EQ(rows, (Rows{{0x1000, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                          {0x1004, {DT_CFA_SP, DT_FP_AT_CFA, -16, 40}},
                          {0x101f, {DT_CFA_SP, DT_FP_SAME, 0, 8}},
                          {0x1020, {DT_CFA_END, DT_FP_LOST, 0, 0}},
                          {0x1040, {DT_CFA_NONE, DT_FP_LOST, 0, 0}},
                          {0x1060, {DT_CFA_NONE, DT_FP_LOST, 0, 0}}}));
}

/// Converts the table of go_table() for a 32-bit program, whose table header has words of 4 bytes.
Bytes narrow_go_table()
{
    Bytes table = go_table();
    Bytes narrow(table.begin(), table.begin() + 7);
    narrow.push_back(4);
    for (std::size_t word = 0; word < 8; ++word)
        narrow.insert(narrow.end(), table.begin() + 8 + static_cast<std::ptrdiff_t>(word * 8),
                      table.begin() + 12 + static_cast<std::ptrdiff_t>(word * 8));
    narrow.resize(72); // everything from offset 72 on, which is behind the header, is copied unchanged
    narrow.insert(narrow.end(), table.begin() + 72, table.end());
    return narrow;
}

TEST(GoUnwindTable, Arm64FunctionsSaveLinkAndFramePointerAtTheLowerEnd)
{
    Rows rows;
    dt::add_go_rows(go_table(), 0, dt::machine::named("arm64")->unwind, rows);
    EXPECT_EQ(rows[0], (UnwindRow{0x1000, {at_sp(DT_RA_LINK), DT_FP_SAME, 0, 0}}));
    EXPECT_EQ(rows[1], (UnwindRow{0x1004, {at_sp(DT_RA_AFTER_FP), DT_FP_AT_CFA, -40, 32}}));
}

TEST(GoUnwindTable, FunctionsOfThirtyTwoBitProgramsHaveNoFramePointer)
{
    Rows rows;
    // adds no rows, because the program's word size differs from that of the table
    dt::add_go_rows(narrow_go_table(), 0, {.word = 8}, rows);
    EXPECT_TRUE(rows.empty());
    dt::add_go_rows(narrow_go_table(), 0, {.word = 4}, rows);
    EXPECT_EQ(rows, (Rows{{0x1000, {DT_CFA_SP, DT_FP_LOST, 0, 4}},
                          {0x1004, {DT_CFA_SP, DT_FP_LOST, 0, 36}},
                          {0x101f, {DT_CFA_SP, DT_FP_LOST, 0, 4}},
                          {0x1020, {DT_CFA_END, DT_FP_LOST, 0, 0}},
                          {0x1040, {DT_CFA_NONE, DT_FP_LOST, 0, 0}},
                          {0x1060, {DT_CFA_NONE, DT_FP_LOST, 0, 0}}}));
}

TEST(GoUnwindTable, DamagedBytesDoNoHarm)
{
    std::mt19937 random(7); // NOLINT: a fixed seed, so that every run gets equal random numbers
    for (int round = 0; round < 3000; ++round) {
        Bytes damaged = go_table();
        for (unsigned i = 0; i < 1 + random() % 8; ++i)
            damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
        if (round % 10 == 0)
            damaged.resize(random() % damaged.size() + 1);
        Rows rows;
        dt::add_go_rows(damaged, 0, {.word = 8}, rows);
        ASSERT_LE(rows.size(), damaged.size() * damaged.size());
    }
}

Bytes read_all(const char* path)
{
    std::FILE* const file = std::fopen(path, "rb");
    Bytes bytes;
    for (int c; file && (c = std::fgetc(file)) != EOF;)
        bytes.push_back(static_cast<uint8_t>(c));
    if (file)
        std::fclose(file);
    return bytes;
}

std::vector<UnwindRow> rows_of(Bytes& image)
{
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_memory(reinterpret_cast<char*>(image.data()), image.size()),
                                                       elf_end);
    return dt::read_unwind_rows(elf.get());
}

TEST(UnwindRows, CoverTheCodeOfThisProgram)
{
    const dt::ElfFile file("/proc/self/exe");
    const std::vector<UnwindRow> rows = dt::read_unwind_rows(file.get());
    ASSERT_GT(rows.size(), 100U);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                               [](const UnwindRow& a, const UnwindRow& b) { return a.address < b.address; }));
    EXPECT_EQ(rows.back().rule.cfa, DT_CFA_NONE);
    EXPECT_GT(std::count_if(rows.begin(), rows.end(), [](const UnwindRow& row) { return row.rule.cfa == DT_CFA_SP; }),
              50);
}

TEST(UnwindRows, DamagedBytesDoNoHarm)
{
    const Bytes image = read_all("/bin/true"); // uses /bin/true, because this file is small
    ASSERT_GT(image.size(), 1000U);
    std::mt19937 random(7); // NOLINT: a fixed seed, so that every run gets equal random numbers
    for (int round = 0; round < 300; ++round) {
        Bytes damaged = image;
        for (unsigned i = 0; i < 1 + random() % 200; ++i)
            damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
        if (round % 10 == 0)
            damaged.resize(random() % damaged.size() + 1);
        std::vector<dt_unwind_rule> numbered(DT_UNWIND_RULES);
        dt::UnwindRules rules(numbered.data());
        for (const dt::UnwindPart& part : parts_of(rows_of(damaged), rules))
            ASSERT_LE(part.words.size(), std::size_t{DT_UNWIND_CHUNK_WORDS});
    }
}

/// Creates a 32-bit file for a machine. It contains only an .eh_frame section, at `address`.
Bytes narrow_file(const Bytes& section, uint32_t address, uint16_t machine)
{
    const std::string names("\0.eh_frame", 11);
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    header.e_shoff = static_cast<uint32_t>((sizeof header + section.size() + names.size() + 3) / 4 * 4);
    Elf32_Shdr sections[3]{};
    sections[1] = {1, SHT_PROGBITS, SHF_ALLOC, address, sizeof header, static_cast<uint32_t>(section.size()), 0, 0, 4,
                   0};
    sections[2] = {
        0, SHT_STRTAB, 0, 0, static_cast<uint32_t>(sizeof header + section.size()), static_cast<uint32_t>(names.size()),
        0, 0,          1, 0};
    Bytes file(header.e_shoff + sizeof sections);
    std::memcpy(file.data(), &header, sizeof header);
    std::copy(section.begin(), section.end(), file.begin() + sizeof header);
    std::copy(names.begin(), names.end(), file.begin() + static_cast<std::ptrdiff_t>(sizeof header + section.size()));
    std::memcpy(file.data() + header.e_shoff, sections, sizeof sections);
    return file;
}

TEST(UnwindRows, CoverAThirtyTwoBitFile)
{
    // At 0x80490000: a CIE (zR, relative addresses) and a function of 16 bytes. The function is 0x1000 bytes before the
    // section and pushes ebp. Then a CIE with absolute addresses of four bytes, and a function at 0x80500000.
    const Bytes section = {
        20, 0, 0, 0, 0,  0, 0, 0, 1,    'z',  'R',  0,    1,    0x7c, 8, 1, 0x1b, 0x0c, 4,    4, 0x88, 1, 0, 0,
        20, 0, 0, 0, 28, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 16,   0,    0, 0, 0,    0x41, 0x0e, 8, 0x85, 2, 0, 0, // FDE
        16, 0, 0, 0, 0,  0, 0, 0, 1,    0,    1,    0x7c, 8,    0x0c, 4, 4, 0x88, 1,    0,    0,                // CIE
        12, 0, 0, 0, 24, 0, 0, 0, 0,    0,    0x50, 0x80, 0x20, 0,    0, 0,                                     // FDE
        0,  0, 0, 0};
    Bytes file = narrow_file(section, 0x80490000, EM_386);
    EXPECT_EQ(rows_of(file), (Rows{{0x8048f000, {DT_CFA_SP, DT_FP_SAME, 0, 4}},
                                   {0x8048f001, {DT_CFA_SP, DT_FP_AT_CFA, -8, 8}},
                                   {0x8048f010, {DT_CFA_NONE, DT_FP_LOST, 0, 0}},
                                   {0x80500000, {DT_CFA_SP, DT_FP_SAME, 0, 4}},
                                   {0x80500020, {DT_CFA_NONE, DT_FP_LOST, 0, 0}}}));
    // Two 32-bit files that get no rules: one is for x32, the other for another architecture.
    for (const uint16_t machine : {EM_X86_64, EM_ARM}) {
        Bytes other = narrow_file(section, 0x80490000, machine);
        EXPECT_TRUE(rows_of(other).empty()) << machine;
    }
}

std::unique_ptr<const dt::ElfFile> this_program()
{
    return std::make_unique<const dt::ElfFile>("/proc/self/exe");
}

/// In the vdso of 64-bit Arm, signal handlers return to code that can be recognized only by its instructions. Here it
/// is between a nop and other code.
TEST(UnwindRows, CodeToWhichSignalHandlersReturnIsRecognized)
{
    const std::span<const uint8_t> arm = dt::machine::conventions_of(*dt::machine::named("arm64")).signal_return;
    std::vector<uint8_t> code = {0x1f, 0x20, 0x03, 0xd5};
    code.insert(code.end(), arm.begin(), arm.end());
    code.resize(code.size() + 16);
    const dt_unwind_rule before{DT_CFA_SP, DT_FP_SAME, 0, 16}, signal{DT_CFA_SIGNAL, 0, 0, 0};
    std::vector<UnwindRow> rows = {{0x100, before}, {0x106, {}}};
    mark_signal_returns(rows, code, 0x100, arm);
    EXPECT_EQ(rows, (std::vector<UnwindRow>{{0x100, before}, {0x103, signal}, {0x10c, {}}}));
    rows.clear();
    mark_signal_returns(rows, code, 0x100, arm);
    EXPECT_EQ(rows, (std::vector<UnwindRow>{{0x103, signal}, {0x10c, {}}}));
    rows = {{0x100, before}};
    mark_signal_returns(rows, code, 0x100, dt::machine::conventions_of(*dt::machine::named("x86_64")).signal_return);
    EXPECT_EQ(rows.size(), 1u);
}

TEST(UnwindReader, FilesAreReadConcurrently)
{
    dt::UnwindReader reader(dt::ReadBy::Readers);
    EXPECT_FALSE(reader.has_finished());
    for (const uint64_t number : {7, 8}) {
        dt::OpenFile file("/proc/self/exe");
        ASSERT_TRUE(reader.start(number, file));
        EXPECT_FALSE(file);
    }
    std::vector<dt::UnwindReader::Job> done;
    for (int tries = 0; done.size() < 2 && tries < 60'000; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        for (dt::UnwindReader::Job& job : reader.take_finished())
            done.push_back(std::move(job));
    }
    ASSERT_EQ(done.size(), 2U);
    EXPECT_EQ(done[0].number, 7U);
    EXPECT_EQ(done[1].number, 8U);
    EXPECT_EQ(unpacked(done[1].rows), dt::read_unwind_rows(this_program()->get()));
    EXPECT_FALSE(reader.has_finished());
}

TEST(UnwindReader, ReadingAFileCanBeStopped)
{
    dt::UnwindReader reader(dt::ReadBy::Readers);
    for (uint64_t number = 0; number < 500; ++number) { // reading all of the 500 files would take some seconds
        dt::OpenFile file("/proc/self/exe");
        ASSERT_TRUE(reader.start(number, file));
    }
}

} // namespace
