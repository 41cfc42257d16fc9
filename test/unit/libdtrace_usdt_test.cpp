// Tests the reading of USDT probes: operands of ELF notes, the notes themselves, DOF sections (including damaged ones),
// and the names of probe calls.
#include <gtest/gtest.h>

#include <cstring>

#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/link.hpp"
#include "libdtrace/usdt/notes.hpp"
#include "machine/x86_64/registers.hpp"

namespace dt::usdt {
namespace {

using Kind = Location::Kind;

NoteArgument operand(std::string_view text)
{
    const auto found = read_operands(text);
    return found.size() == 1 ? found[0] : NoteArgument{};
}

TEST(NoteOperand, OperandsThatArePartsOfRegistersAreRead)
{
    EXPECT_EQ(operand("8@%rbx").where, (Location{.kind = Kind::Register, .index = machine::x86_64::Bx}));
    EXPECT_EQ(operand("-4@%r12d").where,
              (Location{.kind = Kind::Register, .index = machine::x86_64::R12, .size = 4, .is_signed = true}));
    EXPECT_EQ(operand("1@%sil").where, (Location{.kind = Kind::Register, .index = machine::x86_64::Si, .size = 1}));
    EXPECT_EQ(operand("4@%ax").where.size, 2); // the size is 2, that of %ax, although the operand claims 4 bytes
    EXPECT_EQ(operand("1@%bh").where.kind, Kind::ShiftRight);
    EXPECT_EQ(operand("-4@%edi").type, "int32_t");
    EXPECT_EQ(operand("8@%rdi").type, "uint64_t");
}

TEST(NoteOperand, MemoryIsReadThroughRegisters)
{
    const Location scaled = operand("8@-16(%rax,%rdx,4)").where;
    EXPECT_EQ(scaled, (Location{.kind = Kind::UserMemory,
                                .index = machine::x86_64::Ax,
                                .offset = -16,
                                .scale = 4,
                                .scaled = machine::x86_64::Dx}));
    EXPECT_EQ(operand("8@(,%rdi,8)").where.index, Location::kNoRegister);
    EXPECT_EQ(operand("8@8(%rax, %rdx, 2)").where.scale, 2); // clang writes operands with blanks
}

TEST(NoteOperand, MemoryAtTheAddressOfASymbolIsRead)
{
    for (const char* text : {"4@table+8(%rip)", "4@8+table(%rip)", "4@table+8"}) {
        const NoteArgument argument = operand(text);
        EXPECT_EQ(argument.symbol, "table") << text;
        EXPECT_EQ(argument.where.offset, 8) << text;
        EXPECT_EQ(argument.where.index, Location::kNoRegister) << text;
    }
}

TEST(NoteOperand, ConstantsHaveTheSizeThatTheNoteStates)
{
    EXPECT_EQ(operand("4@$-1").where.offset, 0xffffffff);
    EXPECT_EQ(operand("-1@$255").where.offset, -1);
    EXPECT_EQ(operand("8@$0x7fffffffffffffff").where.offset, INT64_MAX);
    EXPECT_EQ(operand("8@$-9223372036854775808").where.offset, INT64_MIN);
}

TEST(NoteOperand, UnsupportedOperandsAreZeroWithAReason)
{
    for (const char* text : {"8f@%xmm0", "3@%rax", "8@%rax)", "8@", "@", "%rax", "8@(%eax)", "8@(%rax,%rdx,3)",
                             "8@%r16", "8@$", "8@%fs:0", "8@(%rip)"}) {
        const NoteArgument argument = operand(text);
        EXPECT_EQ(argument.where.kind, Kind::Zero) << text;
        EXPECT_FALSE(argument.unreadable.empty()) << text;
    }
    EXPECT_EQ(read_operands("8@%rax nonsense 4@$3").at(2).where.offset, 3);
    EXPECT_TRUE(read_operands("").empty());
}

std::vector<uint8_t> note(uint32_t type, std::string_view owner, std::string_view texts)
{
    const uint32_t header[] = {static_cast<uint32_t>(owner.size()), static_cast<uint32_t>(24 + texts.size()), type};
    const uint64_t addresses[] = {0x1000, 0x2000, 0x3000};
    std::vector<uint8_t> bytes(sizeof header + owner.size() + sizeof addresses + (texts.size() + 3) / 4 * 4);
    std::memcpy(bytes.data(), header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, owner.data(), owner.size());
    std::memcpy(bytes.data() + sizeof header + owner.size(), addresses, sizeof addresses);
    std::memcpy(bytes.data() + sizeof header + owner.size() + sizeof addresses, texts.data(), texts.size());
    return bytes;
}

constexpr std::string_view kOwner{"stapsdt\0", 8}, kTexts{"prov\0my__probe\0008@%rax\0", 22};

TEST(ProbeNote, AddressesAreShiftedWithTheBaseSection)
{
    const auto notes = read_notes(note(3, kOwner, kTexts), 0x2500);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].site, 0x1500u);
    EXPECT_EQ(notes[0].semaphore, 0x3500u);
    EXPECT_EQ(notes[0].probe, "my-probe");
    EXPECT_EQ(notes[0].arguments, "8@%rax");
}

TEST(ProbeNote, TruncatedNotesAndNotesOfOtherOwnersAreSkipped)
{
    EXPECT_TRUE(read_notes(note(4, kOwner, kTexts), 0).empty());
    EXPECT_TRUE(read_notes(note(3, {"another\0", 8}, kTexts), 0).empty());
    EXPECT_TRUE(read_notes(note(3, kOwner, {"prov\0probe\0no end", 17}), 0).empty());
    const auto whole = note(3, kOwner, kTexts);
    for (std::size_t size = 0; size < whole.size() - 3; ++size)
        EXPECT_TRUE(read_notes(std::span(whole).first(size), 0).empty()) << size;
}

TEST(CounterNote, SurvivesWritingAndReading)
{
    std::vector<uint8_t> section;
    const std::size_t first = add_counter_note(section, "shop", "close-day");
    const std::size_t second = add_counter_note(section, "s", "x");
    const uint64_t addresses[] = {0x4010, 0x4012};
    std::memcpy(section.data() + first, &addresses[0], sizeof(uint64_t));
    std::memcpy(section.data() + second, &addresses[1], sizeof(uint64_t));
    const auto notes = read_counter_notes(section);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0].provider + ":" + notes[0].probe, "shop:close-day");
    EXPECT_EQ(notes[0].counter, 0x4010u);
    EXPECT_EQ(notes[1].provider + ":" + notes[1].probe, "s:x");
    EXPECT_EQ(notes[1].counter, 0x4012u);
    for (std::size_t size = 0; size + 4 < second; ++size)
        EXPECT_TRUE(read_counter_notes(std::span(section).first(size)).size() <= (size >= first)) << size;
}

struct Described {
    Type number, text;
    DefinedProvider provider;
    std::vector<DofProbe> probes;

    Described()
    {
        provider.name = "shop";
        probes = {{"shop", "sale", "sell", {4, 9}, {2}, {"int", "const char *"}, {"char *", "int"}, {1, 0}},
                  {"shop", "close-day", "main", {}, {7}, {}, {}, {}}};
    }
};

TEST(DofSection, SurvivesWritingAndReading)
{
    const Described shop;
    Dof dof = make_dof(shop.provider, shop.probes);
    const uint64_t function = 0x401000;
    std::memcpy(dof.bytes.data() + dof.addresses.at(0), &function, sizeof function);
    auto read = read_dof(dof.bytes);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 2u);
    const DofProbe& sale = read->at(0);
    EXPECT_EQ(sale.provider + ":" + sale.function + ":" + sale.probe, "shop:sell:sale");
    EXPECT_EQ(sale.sites, (std::vector<uint64_t>{0x401004, 0x401009}));
    EXPECT_EQ(sale.is_enabled_sites, (std::vector<uint64_t>{0x401002}));
    EXPECT_EQ(sale.native, (std::vector<std::string>{"int", "const char *"}));
    EXPECT_EQ(sale.mapping, (std::vector<uint8_t>{1, 0}));
    EXPECT_EQ(read->at(1).is_enabled_sites, (std::vector<uint64_t>{7}));
}

TEST(DofSection, SectionsJoinedByTheLinkerAreRead)
{
    const Described shop;
    const std::vector<uint8_t> one = make_dof(shop.provider, shop.probes).bytes;
    std::vector<uint8_t> joined = one;
    joined.resize(joined.size() + 8); // padding, which a linker inserts between the sections that it joins
    joined.insert(joined.end(), one.begin(), one.end());
    EXPECT_EQ(read_dof(joined)->size(), 4u);
}

TEST(DofSection, DamagedBytesDoNoHarm)
{
    const Described shop;
    const std::vector<uint8_t> good = make_dof(shop.provider, shop.probes).bytes;
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const uint8_t value : {0x00, 0x7f, 0xff}) {
            std::vector<uint8_t> bad = good;
            bad[at] = value;
            refused += !read_dof(bad);
        }
    EXPECT_GT(refused, 100u);
    for (std::size_t size = sizeof(uint64_t) * 8; size < good.size(); ++size)
        EXPECT_FALSE(read_dof(std::span(good).first(size))) << size;
}

TEST(UsdtName, ProviderAndProbeAreReadFromTheNameOfAProbeCall)
{
    const auto fires = read_site_name("__dtrace_my_prov___query__start");
    ASSERT_TRUE(fires);
    EXPECT_EQ(fires->provider, "my_prov");
    EXPECT_EQ(fires->probe, "query-start");
    EXPECT_FALSE(fires->asks);
    EXPECT_TRUE(read_site_name("__dtraceenabled_my_prov___done")->asks);
    for (const char* other : {"__dtrace_prov", "dtrace_a___b", "__dtrace____x", "__dtrace_a___", "printf"})
        EXPECT_FALSE(read_site_name(other)) << other;
}

} // namespace
} // namespace dt::usdt
