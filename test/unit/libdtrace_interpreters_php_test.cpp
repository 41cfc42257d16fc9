// Tests the names of PHP's stack frames. They are read from captured bytes of PHP's function objects; random bytes must
// do no harm.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace {

constexpr std::size_t kFunctionName = 8, kClassOf = 16, kFirstLineOf = 160, kStringInfo = 4, kStringLength = 16,
                      kStringData = 24;

template <typename T> void put_at(unsigned char* to, std::size_t at, T value)
{
    std::memcpy(to + at, &value, sizeof value);
}

void put_string(unsigned char* to, const std::string& text)
{
    put_at(to, kStringInfo, uint32_t{0x16});
    put_at(to, kStringLength, uint64_t{text.size()});
    std::memcpy(to + kStringData, text.c_str(), text.size() + 1);
}

RuntimeBuild build_82()
{
    RuntimeBuild build;
    build.facts = {kFirstLineOf};
    return build;
}

/// Returns the captured bytes of a function with lines 10 to 20. With `owner`, the function is a method of this class.
/// Without `name`, it is the top-level code of a file.
dt_code function_of(const std::string& name, const std::string& owner)
{
    dt_code code{};
    code.got[0] = sizeof code.name;
    code.got[1] = sizeof code.file;
    code.got[2] = sizeof code.table;
    put_at(code.head, kFunctionName, uint64_t{!name.empty()});
    put_at(code.head, kClassOf, uint64_t{!owner.empty()});
    put_at(code.head, kFirstLineOf, uint32_t{10});
    put_at(code.head, kFirstLineOf + 4, uint32_t{20});
    put_string(code.name, name);
    put_string(code.file, "file.php");
    put_string(code.table, owner);
    return code;
}

/// Returns the text of a stack frame; empty if the frame has no name.
std::string named(const dt_code& code, int32_t line = 12)
{
    const auto frame = kPhp.name_frame(build_82(), code, line);
    return frame ? frame->function + " " + frame->file + ":" + std::to_string(frame->line) : "";
}

TEST(InterpretersPhp, AFrameShowsClassFunctionAndLine)
{
    EXPECT_EQ(named(function_of("sell", "Shop")), "Shop::sell file.php:12");
    EXPECT_EQ(named(function_of("sell", "")), "sell file.php:12");
    EXPECT_EQ(named(function_of("", "")), "{main} file.php:12");
    EXPECT_EQ(named(function_of("call", std::string("class@anonymous\0/file.php", 25))),
              "class@anonymous::call file.php:12");
}

TEST(InterpretersPhp, ALineOutsideTheFunctionMakesTheFrameNameless)
{
    const dt_code code = function_of("sell", "");
    EXPECT_EQ(named(code, 9), "");
    EXPECT_EQ(named(code, 21), "");
    EXPECT_EQ(named(code, -1), "");
    EXPECT_EQ(named(code, 0), "sell file.php:0") << "not known";
}

TEST(InterpretersPhp, AnObjectThatIsNoFunctionHasNoName)
{
    const dt_code good = function_of("sell", "Shop");
    const auto changed = [&](auto change) {
        dt_code code = good;
        change(code);
        return named(code);
    };
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.name, kStringInfo, uint32_t{7}); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.file, kStringLength, uint64_t{0}); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.file, kStringLength, ~uint64_t{0}); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_at(code.table, kStringLength, uint64_t{3}); }), "") << "no end there";
    EXPECT_EQ(changed([](dt_code& code) { code.name[kStringData + 1] = 0; }), "") << "ends early";
    EXPECT_EQ(changed([](dt_code& code) { code.got[1] = 0; }), "");
}

TEST(InterpretersPhp, ArbitraryBytesDoNoHarm)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = function_of("sell", "Shop");
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % sizeof code] = static_cast<unsigned char>(random());
        for (unsigned char& each : code.name)
            each = random() % 16 == 0 ? static_cast<unsigned char>(random()) : each;
        const auto frame = kPhp.name_frame(build_82(), code, static_cast<int32_t>(random()) >> (random() % 32));
        if (frame) {
            EXPECT_LE(frame->function.size(), DT_CODE_NAME + DT_CODE_TABLE);
        }
    }
}

} // namespace
} // namespace dt
