// Tests the names and lines of Lua's stack frames. They are read from captured bytes of Lua's prototypes; random bytes
// must do no harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace lua_frames {
namespace {

constexpr std::size_t kCodeCount = 24, kLinesCount = 28, kAbsoluteCount = 40, kFirstLine = 44, kLastLine = 48,
                      kSource = 112, kType = 8, kShortLength = 11, kLongLength = 16, kChars = 24;
constexpr int kInstruction = 4;

template <typename T> void put_at(unsigned char* to, std::size_t at, T value)
{
    std::memcpy(to + at, &value, sizeof value);
}

void put_source(dt_code& code, const std::string& text)
{
    const bool is_short = text.size() <= 40;
    put_at(code.head, kSource, uint64_t{1});
    put_at(code.file, kType, static_cast<uint8_t>(is_short ? 4 : 20));
    put_at(code.file, kShortLength, static_cast<uint8_t>(is_short ? text.size() : 0));
    put_at(code.file, kLongLength, uint64_t{is_short ? 0x1234 : text.size()});
    std::memcpy(code.file + kChars, text.c_str(), std::min(text.size() + 1, sizeof code.file - kChars));
}

/// Returns the captured bytes of a function whose instructions have these source lines. As in Lua, a table has the full
/// line number for every `absolute`th instruction. For other instructions, it has the difference from the previous
/// line.
dt_code function_of(const std::vector<int>& lines, int first, int last, std::size_t absolute = 1000)
{
    dt_code code{};
    code.got[1] = sizeof code.file;
    code.got[2] = static_cast<dt_u32>(lines.size());
    put_at(code.head, kCodeCount, static_cast<int32_t>(lines.size()));
    put_at(code.head, kLinesCount, static_cast<int32_t>(lines.size()));
    put_at(code.head, kFirstLine, first);
    put_at(code.head, kLastLine, last);
    put_source(code, "@shop.lua");
    int before = first, entries = 0;
    for (std::size_t i = 0; i < lines.size(); before = lines[i++]) {
        const bool is_absolute = i % absolute == absolute - 1;
        code.table[i] = static_cast<unsigned char>(is_absolute ? -128 : lines[i] - before);
        if (!is_absolute)
            continue;
        put_at(code.name, static_cast<std::size_t>(entries) * 8, static_cast<int32_t>(i));
        put_at(code.name, static_cast<std::size_t>(entries) * 8 + 4, lines[i]);
        ++entries;
    }
    put_at(code.head, kAbsoluteCount, entries);
    code.got[0] = static_cast<dt_u32>(std::min<std::size_t>(static_cast<std::size_t>(entries) * 8, sizeof code.name));
    return code;
}

/// Returns the text of a stack frame at the instruction with this number; empty if the frame has no name.
std::string named(const dt_code& code, int instruction = 0)
{
    const auto frame = kLua.name_frame({}, code, instruction * kInstruction);
    return frame ? frame->function + " " + frame->file + ":" + std::to_string(frame->line) : "";
}

TEST(InterpretersLua, AFrameShowsThePlaceOfItsFunctionAndTheLine)
{
    const dt_code code = function_of({11, 12, 12, 15}, 10, 15);
    EXPECT_EQ(named(code, 0), "function <shop.lua:10> shop.lua:11");
    EXPECT_EQ(named(code, 2), "function <shop.lua:10> shop.lua:12");
    EXPECT_EQ(named(code, 3), "function <shop.lua:10> shop.lua:15");
    EXPECT_EQ(named(code, -1), "function <shop.lua:10> shop.lua:0") << "not known";
    EXPECT_EQ(named(code, 4), "") << "no instruction of the function";
    EXPECT_EQ(named(function_of({7}, 0, 0)), "main chunk shop.lua:7");
}

TEST(InterpretersLua, LinesAreCountedFromStoredOnes)
{
    std::vector<int> lines;
    for (int i = 0, line = 10; i < 100; ++i)
        lines.push_back(line += i % 5 == 4 ? 500 : 3); // every fifth difference is too large to store
    const dt_code code = function_of(lines, 10, lines.back(), 5);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(named(code, i),
                  "function <shop.lua:10> shop.lua:" + std::to_string(lines[static_cast<std::size_t>(i)]));
}

TEST(InterpretersLua, ASourceIsNamedAsByLua)
{
    const auto with = [](const std::string& source) {
        dt_code code = function_of({1}, 0, 0);
        put_source(code, source);
        return named(code);
    };
    EXPECT_EQ(with("=stdin"), "main chunk stdin:1");
    EXPECT_EQ(with("@/a/long/path/of/a/file/that/is/not/a/short/text.lua"),
              "main chunk /a/long/path/of/a/file/that/is/not/a/short/text.lua:1");
    EXPECT_EQ(with("x = 1"), "main chunk [string \"x = 1\"]:1");
    EXPECT_EQ(with("x = 1\ny = 2"), "main chunk [string \"x = 1...\"]:1");
    EXPECT_EQ(with(std::string(44, 'x')), "main chunk [string \"" + std::string(44, 'x') + "\"]:1");
    EXPECT_EQ(with(std::string(45, 'x')), "main chunk [string \"" + std::string(45, 'x') + "...\"]:1");
    EXPECT_EQ(with("@" + std::string(600, 'x')), "main chunk " + std::string(DT_CODE_FILE - kChars - 1, 'x') + "...:1");
    dt_code stripped = function_of({1}, 0, 0);
    put_at(stripped.head, kSource, uint64_t{0});
    put_at(stripped.head, kLinesCount, 0);
    EXPECT_EQ(named(stripped), "main chunk ?:0");
}

TEST(InterpretersLua, AnObjectThatIsNoFunctionHasNoName)
{
    const dt_code good = function_of({11, 12}, 10, 12);
    const auto changed = [&](auto change) {
        dt_code code = good;
        change(code);
        return named(code, 1);
    };
    EXPECT_EQ(changed([](dt_code&) {}), "function <shop.lua:10> shop.lua:12");
    EXPECT_EQ(changed([](dt_code& code) { code.file[kType] = 5; }), "");
    EXPECT_EQ(changed([](dt_code& code) { code.file[kChars + 9] = 'x'; }), "") << "no end there";
    EXPECT_EQ(changed([](dt_code& code) { code.got[1] = 0; }), "");
    EXPECT_EQ(changed([](dt_code& code) { code.table[1] = 100; }), "") << "line after the function's end";
    EXPECT_EQ(changed([](dt_code& code) { code.table[1] = 0x80; }), "") << "line before the function";
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.head, kLinesCount, 3); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.head, kCodeCount, -2); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.head, kLastLine, 9); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.head, kAbsoluteCount, 3); }), "");
}

TEST(InterpretersLua, ALineOutsideOfTheCapturedBytesIsNotKnown)
{
    dt_code code = function_of(std::vector<int>(100, 11), 10, 12, 50);
    code.got[2] = 20;
    EXPECT_EQ(named(code, 19), "function <shop.lua:10> shop.lua:11");
    EXPECT_EQ(named(code, 20), "function <shop.lua:10> shop.lua:0");
    code.got[0] = 8;
    EXPECT_EQ(named(code, 10), "function <shop.lua:10> shop.lua:11");
    EXPECT_EQ(named(code, 99), "function <shop.lua:10> shop.lua:0");
}

TEST(InterpretersLua, ArbitraryBytesDoNoHarm)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = function_of({11, 12, 13, 12, 15}, 10, 15, 2);
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % sizeof code] = static_cast<unsigned char>(random());
        for (unsigned char& each : code.head)
            each = random() % 64 == 0 ? static_cast<unsigned char>(random()) : each;
        const auto frame = kLua.name_frame({}, code, static_cast<int32_t>(random()) >> (random() % 32));
        if (frame) {
            EXPECT_LE(frame->function.size(), 2 * DT_CODE_FILE);
        }
    }
}

} // namespace
} // namespace lua_frames
} // namespace dt
