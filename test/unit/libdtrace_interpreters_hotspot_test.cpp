// Tests the names of Java's stack frames, and the search for the tables of libjvm.so. The names are read from captured
// bytes of methods. Random bytes and damaged files must do no harm.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace {

void set_java_word(dt_code& code, std::size_t which, uint64_t value)
{
    std::memcpy(code.head + which * sizeof value, &value, sizeof value);
}

/// Returns a method in which line 2 begins at bytecode 10, line 5 at bytecode 14, and line 1 at bytecode 50.
dt_code java_method(const std::string& name, const std::string& holder, const std::string& file)
{
    const std::string lines{"\x52\x23\xff\x48\x07\0", 6}; // increments of (bytecode, line): (10, 2), (4, 3), (36, -4)
    dt_code code{};
    set_java_word(code, DT_JAVA_FORM, DT_JAVA_IN_JAVA);
    set_java_word(code, DT_JAVA_NAME, name.size());
    set_java_word(code, DT_JAVA_CLASS, holder.size());
    set_java_word(code, DT_JAVA_FILE, file.size());
    set_java_word(code, DT_JAVA_LINES, lines.size());
    code.got[0] = static_cast<uint32_t>(name.copy(reinterpret_cast<char*>(code.name), DT_CODE_NAME - 1));
    code.got[1] = static_cast<uint32_t>(file.copy(reinterpret_cast<char*>(code.file), DT_CODE_FILE - 1));
    code.got[2] = static_cast<uint32_t>(holder.copy(reinterpret_cast<char*>(code.table), DT_JAVA_CLASS_BYTES - 1));
    lines.copy(reinterpret_cast<char*>(code.table) + DT_JAVA_CLASS_BYTES, lines.size());
    return code;
}

/// Returns the text of a stack frame; empty if the frame has no name.
std::string java_named(const dt_code& code, int32_t bytecode = 12)
{
    const auto frame = kHotSpot.name_frame({}, code, bytecode);
    return frame ? frame->function + " " + frame->file + ":" + std::to_string(frame->line) : "";
}

TEST(InterpretersHotSpot, FramesHaveClassMethodFileAndLine)
{
    const dt_code code = java_method("sell", "com/example/Shop", "Shop.java");
    EXPECT_EQ(java_named(code, 10), "com.example.Shop.sell Shop.java:2");
    EXPECT_EQ(java_named(code, 13), "com.example.Shop.sell Shop.java:2");
    EXPECT_EQ(java_named(code, 14), "com.example.Shop.sell Shop.java:5");
    EXPECT_EQ(java_named(code, 50), "com.example.Shop.sell Shop.java:1") << "lines may go back";
    EXPECT_EQ(java_named(code, DT_JAVA_NO_PLACE), "com.example.Shop.sell Shop.java:0");
    EXPECT_EQ(java_named(java_method("<init>", "Shop", ""), 10), "Shop.<init> no file:2");
}

TEST(InterpretersHotSpot, HiddenClassesHaveASlash)
{
    EXPECT_EQ(java_named(java_method("run", "a/Shop$$Lambda$1+0x0000000800c03000", ""), 10),
              "a.Shop$$Lambda$1/0x0000000800c03000.run no file:2");
}

TEST(InterpretersHotSpot, NativeMethodsHaveNoLine)
{
    dt_code code = java_method("sleep", "java/lang/Thread", "Thread.java");
    set_java_word(code, DT_JAVA_FORM, DT_JAVA_NATIVE);
    EXPECT_EQ(java_named(code), "java.lang.Thread.sleep Native Method:0");
}

TEST(InterpretersHotSpot, ACutNameSaysSo)
{
    dt_code code = java_method("seller", "Shop", "Shop.java");
    code.got[0] = 4;
    EXPECT_EQ(java_named(code, 10), "Shop.sell... Shop.java:2");
    EXPECT_EQ(java_named(java_method("sell", std::string(600, 'x'), "Shop.java"), 10),
              std::string(DT_JAVA_CLASS_BYTES - 1, 'x') + "....sell Shop.java:2");
}

TEST(InterpretersHotSpot, OtherObjectsHaveNoName)
{
    const auto changed = [&](auto change) {
        dt_code code = java_method("sell", "Shop", "Shop.java");
        change(code);
        return java_named(code);
    };
    EXPECT_NE(changed([](dt_code&) {}), "");
    EXPECT_EQ(changed([](dt_code& code) { set_java_word(code, DT_JAVA_FORM, 0); }), "");
    EXPECT_EQ(changed([](dt_code& code) { set_java_word(code, DT_JAVA_FORM, DT_JAVA_FORMS); }), "");
    EXPECT_EQ(changed([](dt_code& code) { set_java_word(code, DT_JAVA_NAME, 1 << 20); }), "") << "too long";
    EXPECT_EQ(changed([](dt_code& code) { set_java_word(code, DT_JAVA_LINES, 1 << 20); }), "");
    EXPECT_EQ(changed([](dt_code& code) { code.name[1] = 0; }), "");
    EXPECT_EQ(changed([](dt_code& code) { code.got[2] = 0; }), "") << "not captured";
    EXPECT_EQ(java_named(java_method("(I)V", "Shop", "Shop.java")), "") << "a signature";
}

TEST(InterpretersHotSpot, ATableOfLinesWithoutEndGivesNoLine)
{
    dt_code code = java_method("sell", "Shop", "Shop.java");
    set_java_word(code, DT_JAVA_LINES, 2);
    EXPECT_EQ(java_named(code, 50), "Shop.sell Shop.java:0");
}

TEST(InterpretersHotSpot, AnyBytesAreHarmless)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = java_method("sell", "Shop", "Shop.java");
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % sizeof code] = static_cast<unsigned char>(random());
        for (int i = 0; i < 40; ++i)
            code.table[DT_JAVA_CLASS_BYTES + i] = static_cast<unsigned char>(random());
        const auto frame = kHotSpot.name_frame({}, code, static_cast<int32_t>(random()) >> (random() % 32));
        if (frame) {
            EXPECT_LE(frame->function.size(), DT_CODE_NAME + DT_JAVA_CLASS_BYTES + 8);
        }
    }
}

/// Returns the path of an installed libjvm.so; empty if there is none.
std::string java_library()
{
    std::error_code failed;
    for (const auto& each : std::filesystem::directory_iterator("/usr/lib/jvm", failed))
        if (const auto path = each.path() / "lib/server/libjvm.so"; std::filesystem::exists(path))
            return path.string();
    return {};
}

TEST(InterpretersHotSpot, AnInstalledLibraryHasTables)
{
    if (java_library().empty())
        GTEST_SKIP() << "Java is not installed";
    RuntimeImage image(java_library());
    auto build = kHotSpot.recognise(image);
    ASSERT_TRUE(build.has_value());
    EXPECT_EQ(build->problem, "");
    EXPECT_FALSE(build->numbers.empty());
    std::vector<uint64_t> values(build->numbers.size());
    EXPECT_FALSE(kHotSpot.complete(*build, values)) << "the library has not written its table";
    std::fill(values.begin(), values.end(), 1 << 20);
    EXPECT_TRUE(kHotSpot.complete(*build, values));
    EXPECT_NE(build->problem, "") << "no structure is so large";
}

TEST(InterpretersHotSpot, ALibraryWithoutAMemberIsUnknown)
{
    if (java_library().empty())
        GTEST_SKIP() << "Java is not installed";
    std::ifstream file(java_library(), std::ios::binary);
    std::string data{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = data.find(std::string("\0_constMethod\0", 14));
    ASSERT_NE(at, std::string::npos);
    data[at + 1] = '-';
    const auto path = std::filesystem::temp_directory_path() / ("libjvm." + std::to_string(::getpid()));
    std::ofstream(path, std::ios::binary) << data;
    RuntimeImage image(path.string());
    const auto build = kHotSpot.recognise(image);
    std::filesystem::remove(path);
    ASSERT_TRUE(build.has_value());
    EXPECT_EQ(build->problem, "its tables (gHotSpotVMStructs) have no Method::_constMethod");
}

} // namespace
} // namespace dt
