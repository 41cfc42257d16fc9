// Tests the names of CPython's stack frames. They are read from captured bytes of code objects; random bytes must do no
// harm.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace {

constexpr uint64_t kCodeType = 0x1000, kUnicodeType = 0x2000, kBytesType = 0x3000, kBias = 0x550000;
constexpr std::size_t kType = 8, kLength = 16, kState = 32, kFirstLine = 72, kAscii = 48, kCompact = 72, kTable = 32;

/// Returns a RuntimeBuild (layout of an interpreter's data) with the types and offsets of CPython 3.11.
RuntimeBuild build_311()
{
    RuntimeBuild build;
    build.layout.code_type = kCodeType;
    build.facts = {kUnicodeType, kBytesType, kAscii, kCompact, kFirstLine};
    return build;
}

template <typename T> void put(unsigned char* to, std::size_t at, T value)
{
    std::memcpy(to + at, &value, sizeof value);
}

/// Returns a RuntimeBuild for the line table of an older CPython: `form` 1 for 3.10, 2 for 3.8 and 3.9.
RuntimeBuild build_before_311(uint64_t form)
{
    RuntimeBuild build = build_311();
    build.facts[5] = form;
    return build;
}

/// Writes the bytes of a str object. `kind` is the number of bytes per character.
template <typename Character>
void put_text(unsigned char* to, const std::basic_string<Character>& text, uint32_t kind, bool is_ascii)
{
    put(to, kType, kUnicodeType + kBias);
    put(to, kLength, uint64_t{text.size()});
    put(to, kState, kind << 2 | 1U << 5 | (is_ascii ? 1U << 6 : 0U));
    std::memcpy(to + (is_ascii ? kAscii : kCompact), text.data(), text.size() * sizeof(Character));
}

/// A code object `function` in `file.py`, whose first line is 10.
dt_code code_of(const std::vector<uint8_t>& table, const std::string& function = "function")
{
    dt_code code{};
    code.got[0] = sizeof code.name;
    code.got[1] = sizeof code.file;
    code.got[2] = sizeof code.table;
    put(code.head, kType, kCodeType + kBias);
    put(code.head, kFirstLine, int32_t{10});
    put_text(code.name, function, 1, true);
    put_text(code.file, std::string("file.py"), 1, true);
    put(code.table, kType, kBytesType + kBias);
    put(code.table, kLength, uint64_t{table.size()});
    std::memcpy(code.table + kTable, table.data(), table.size());
    return code;
}

constexpr uint8_t entry(uint8_t code, uint8_t units)
{
    return static_cast<uint8_t>(0x80 | code << 3 | (units - 1));
}

/// Returns the source line of a stack frame at an instruction; -1 if the frame has no name.
int line_of(const dt_code& code, int32_t instruction, const RuntimeBuild& build = build_311())
{
    const auto frame = kCPython.name_frame(build, code, instruction);
    return frame ? static_cast<int>(frame->line) : -1;
}

TEST(Interpreters, LineNumbersComeFromTheLocationTable)
{
    // Entries of the line table: 2 code units on the first line. 1 unit, 2 lines below, in the one-line form. 3 units,
    // 5 lines above, in the form without columns, which encodes -5 as 11. 1 unit without a line. 1 unit, 70 lines
    // below, with all columns; 70 is encoded as 140 = 12 + 2 * 64.
    const dt_code code = code_of(
        {entry(0, 2), 0, entry(12, 1), 0, 0, entry(13, 3), 11, entry(15, 1), entry(14, 1), 0x40 | 12, 2, 0, 1, 1});
    const int lines[] = {10, 10, 12, 7, 7, 7, 0, 77};
    for (int32_t unit = 0; unit < 8; ++unit)
        EXPECT_EQ(line_of(code, unit * 2), lines[unit]) << unit;
    EXPECT_EQ(line_of(code, -2), 10) << "before the first instruction";
    EXPECT_EQ(line_of(code, 16), -1) << "after the last instruction";
}

TEST(Interpreters, LineNumbersOfPython310ComeFromItsLineTable)
{
    // Entries of the line table: 4 bytes of code on the first line, 2 bytes two lines below, 2 bytes without a line, 2
    // bytes three lines above the previous line.
    const dt_code code = code_of({4, 0, 2, 2, 2, 0x80, 2, static_cast<uint8_t>(-3)});
    const int lines[] = {10, 10, 12, 0, 9, -1};
    for (int32_t unit = 0; unit < 6; ++unit)
        EXPECT_EQ(line_of(code, unit * 2, build_before_311(1)), lines[unit]) << unit;
    EXPECT_EQ(line_of(code, -2, build_before_311(1)), 10) << "before the first instruction";
}

TEST(Interpreters, LineNumbersOfPython38ComeFromItsLineTable)
{
    // Entries of the line table: after 4 bytes of code the line increases by 2, after 2 more bytes it decreases by 3,
    // and after 300 (255 + 45) more bytes it increases by 200.
    const dt_code code = code_of({4, 2, 2, static_cast<uint8_t>(-3), 255, 0, 45, 127, 0, 73});
    const auto at = [&](int32_t instruction) { return line_of(code, instruction, build_before_311(2)); };
    EXPECT_EQ(at(2), 10);
    EXPECT_EQ(at(4), 12);
    EXPECT_EQ(at(6), 9);
    EXPECT_EQ(at(305), 9);
    EXPECT_EQ(at(306), 209);
    EXPECT_EQ(at(30000), 209) << "the last line has no end in the table";
    dt_code cut = code;
    cut.got[2] = kTable + 2;
    EXPECT_EQ(line_of(cut, 2, build_before_311(2)), 10);
    EXPECT_EQ(line_of(cut, 4, build_before_311(2)), 0) << "the line is after the captured part";
}

TEST(Interpreters, AFrameShowsFunctionAndFile)
{
    const auto frame = kCPython.name_frame(build_311(), code_of({entry(0, 1), 0}), 0);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->function, "function");
    EXPECT_EQ(frame->file, "file.py");
}

TEST(Interpreters, NamesOfEveryCharacterWidthBecomeUtf8)
{
    const auto name_of = [](const auto& text, uint32_t kind) {
        dt_code code = code_of({entry(0, 1), 0});
        put_text(code.name, text, kind, false);
        const auto frame = kCPython.name_frame(build_311(), code, 0);
        return frame ? frame->function : "";
    };
    EXPECT_EQ(name_of(std::string("gr\xf6\xdf"
                                  "e"),
                      1),
              "größe");
    EXPECT_EQ(name_of(std::u16string(u"größe€"), 2), "größe€");
    EXPECT_EQ(name_of(std::u32string(U"𝒇x"), 4), "𝒇x");
}

TEST(Interpreters, TruncatedNamesEndWithThreeDots)
{
    const std::string name(DT_CODE_NAME - kAscii, 'n');
    dt_code code = code_of({entry(0, 1), 0}, name);
    put(code.name, kLength, uint64_t{name.size() + 1});
    const auto frame = kCPython.name_frame(build_311(), code, 0);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->function, name + "...");
}

TEST(Interpreters, WithATruncatedLineTableAFrameHasANameButNoLine)
{
    dt_code code = code_of({entry(0, 1), 0});
    put(code.table, kLength, uint64_t{sizeof code.table});
    code.got[2] = kTable + 2;
    EXPECT_EQ(line_of(code, 2), 0);
}

TEST(Interpreters, AnObjectThatIsNoCodeObjectHasNoName)
{
    const dt_code good = code_of({entry(0, 1), 0});
    const auto changed = [&](auto change) {
        dt_code code = good;
        change(code);
        return line_of(code, 0);
    };
    EXPECT_EQ(line_of(good, 0), 10);
    EXPECT_EQ(changed([](dt_code& code) { put(code.name, kType, kBytesType + kBias); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { put(code.file, kType, uint64_t{0}); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { put(code.table, kType, kUnicodeType + kBias); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { put(code.name, kState, uint32_t{0}); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { put(code.name, kLength, ~uint64_t{0}); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { code.name[kAscii] = 0xff; }), -1) << "not ASCII";
    EXPECT_EQ(changed([](dt_code& code) { code.name[kAscii] = 0; }), -1) << "ends early";
    EXPECT_EQ(changed([](dt_code& code) { put(code.head, kFirstLine, int32_t{-1}); }), -1);
    EXPECT_EQ(changed([](dt_code& code) { code.table[kTable] = 0; }), -1) << "no start of an entry";
    EXPECT_EQ(changed([](dt_code& code) { code.got[0] = 0; }), -1);
    EXPECT_EQ(changed([](dt_code& code) { code.got[2] = kTable - 1; }), -1);
}

TEST(Interpreters, ArbitraryBytesDoNoHarm)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = code_of({entry(0, 2), 0, entry(14, 8), 12, 2, 0, 1, 1, entry(12, 1), 0, 0});
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % sizeof code] = static_cast<unsigned char>(random());
        for (unsigned char& each : code.table)
            each = random() % 4 == 0 ? static_cast<unsigned char>(random()) : each;
        const auto instruction = static_cast<int32_t>(random()) >> (random() % 32);
        for (uint64_t form = 0; form < 3; ++form)
            if (const auto frame = kCPython.name_frame(build_before_311(form), code, instruction)) {
                EXPECT_LE(frame->function.size(), 4 * DT_CODE_NAME);
            }
    }
}

} // namespace
} // namespace dt
