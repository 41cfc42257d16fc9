// Tests reading Go's function table (pclntab). The tests build valid tables, by the description in the source of Go's
// runtime, and damaged ones.
#include "libdtrace/elf/elf_symbols.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <random>
#include <string>

namespace dt {
namespace {

using Bytes = std::vector<uint8_t>;

struct Wanted {
    uint64_t start = 0;
    const char* name = "";
    uint8_t flags = 0;
};

void put(Bytes& bytes, uint64_t value, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i, value >>= 8)
        bytes.push_back(static_cast<uint8_t>(value));
}

void put_at(Bytes& bytes, std::size_t at, uint64_t value, std::size_t size)
{
    std::memcpy(&bytes.at(at + size - 1) - (size - 1), &value, size);
}

/// Returns a table that consists of header, names, function addresses and function descriptions. `version` is its magic
/// number.
Bytes table_of(uint32_t version, uint64_t text, const std::vector<Wanted>& functions, uint64_t end, std::size_t word)
{
    const bool is_old = version == 0xfffffffa;
    const std::size_t words = is_old ? 7 : 8, place = is_old ? word : 4;
    Bytes table;
    put(table, version, 4);
    put(table, 0x00010000 | static_cast<uint64_t>(word) << 24, 4);
    table.resize(8 + words * word);
    const std::size_t names = table.size();
    std::vector<uint64_t> name_places;
    for (const Wanted& function : functions) {
        name_places.push_back(table.size() - names);
        table.insert(table.end(), function.name, function.name + std::strlen(function.name) + 1);
    }
    const std::size_t places = table.size(), header_of = 8;
    table.resize(places + (2 * functions.size() + 1) * place);
    const uint64_t base = is_old ? 0 : text;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        put_at(table, places + 2 * i * place, functions[i].start - base, place);
        put_at(table, places + (2 * i + 1) * place, table.size() - places, place);
        const std::size_t description = table.size(), flags = is_old ? word + 33 : version == 0xfffffff0 ? 37 : 41;
        table.resize(description + 44);
        put_at(table, description, functions[i].start - base, place);
        put_at(table, description + place, name_places[i], 4);
        table[description + flags] = functions[i].flags;
    }
    put_at(table, places + 2 * functions.size() * place, end - base, place);
    put_at(table, header_of, functions.size(), word);
    if (!is_old)
        put_at(table, header_of + 2 * word, text, word);
    put_at(table, header_of + (is_old ? 2 : 3) * word, names, word);
    put_at(table, header_of + (is_old ? 6 : 7) * word, places, word);
    return table;
}

const std::vector<Wanted> kFunctions = {{0x1000, "main.Add"}, {0x1040, "main.main"}, {0x1048, "main.(*T).Go"}};

std::string text_of(const std::vector<GoFunction>& functions)
{
    std::string text;
    for (const GoFunction& function : functions)
        text += std::string(function.name) + (function.is_abi0 ? "!" : "") + "@" + std::to_string(function.start) +
                "+" + std::to_string(function.size) + " ";
    return text;
}

constexpr const char* kText = "main.Add@4096+64 main.main@4160+8 main.(*T).Go@4168+24 ";

TEST(GoFunctions, TablesOfEachVersionOfGoAreRead)
{
    for (const uint32_t version : {0xfffffffa, 0xfffffff0, 0xfffffff1})
        for (const std::size_t word : {4, 8})
            EXPECT_EQ(text_of(read_go_functions(table_of(version, 0x1000, kFunctions, 0x1060, word), 0, word)), kText)
                << std::hex << version << " of words of " << word;
}

TEST(GoFunctions, WithoutAStartAddressInTheTableAddressesAreRelativeToTheCode)
{
    Bytes table = table_of(0xfffffff1, 0x1000, kFunctions, 0x1060, 8);
    std::memset(&table[8 + 2 * 8], 0, 8);
    EXPECT_EQ(read_go_functions(table, 0x555000, 8).front().start, 0x555000u);
}

TEST(GoFunctions, AnAssemblyFunctionAndAGoFunctionOfTheSameNameAreDistinguished)
{
    constexpr uint8_t kAssembly = 4;
    const std::vector<Wanted> functions = {
        {0x1000, "a.F"}, {0x1010, "a.F", kAssembly}, {0x1020, "a.G", kAssembly}, {0x1030, "a.H"}};
    EXPECT_EQ(text_of(read_go_functions(table_of(0xfffffff1, 0x1000, functions, 0x1040, 8), 0, 8)),
              "a.F@4096+16 a.F!@4112+16 a.G@4128+16 a.H@4144+16 ");
}

TEST(GoFunctions, ReadingEndsAtTheFirstEntryThatIsOutOfOrder)
{
    const std::vector<Wanted> functions = {{0x1000, "a.F"}, {0x1010, "a.G"}, {0x1008, "a.H"}};
    EXPECT_EQ(text_of(read_go_functions(table_of(0xfffffff1, 0x1000, functions, 0x1040, 8), 0, 8)), "a.F@4096+16 ");
}

TEST(GoFunctions, TablesOfAnUnknownVersionOrWordSizeHaveNoFunctions)
{
    EXPECT_TRUE(read_go_functions({}, 0, 8).empty());
    EXPECT_TRUE(read_go_functions(table_of(0xfffffffb, 0x1000, kFunctions, 0x1060, 8), 0, 8).empty());
    EXPECT_TRUE(read_go_functions(table_of(0xfffffff1, 0x1000, kFunctions, 0x1060, 4), 0, 8).empty());
}

TEST(GoFunctions, NamesInADamagedTableDoNotExceedTheTable)
{
    std::mt19937 random(64);
    for (const uint32_t version : {0xfffffffa, 0xfffffff0, 0xfffffff1}) {
        const Bytes whole = table_of(version, 0x1000, kFunctions, 0x1060, 8);
        for (int round = 0; round < 20000; ++round) {
            Bytes table(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(random() % (whole.size() + 1)));
            for (unsigned flips = random() % 8; flips > 0 && table.size() > 4; --flips)
                table[4 + random() % (table.size() - 4)] = static_cast<uint8_t>(random() % 2 ? 0xff : random());
            for (const GoFunction& function : read_go_functions(table, 0, 8)) {
                const auto* const name = reinterpret_cast<const uint8_t*>(function.name.data());
                ASSERT_TRUE(name >= table.data() && name + function.name.size() < table.data() + table.size());
                ASSERT_NE(function.size, 0u);
            }
        }
    }
}

} // namespace
} // namespace dt
