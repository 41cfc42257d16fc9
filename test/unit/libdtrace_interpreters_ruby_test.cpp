// Tests the names of Ruby's stack frames, and the search for the interpreter. The names are read from captured bytes of
// methods. Random bytes and damaged files must do no harm.
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace {

constexpr uint64_t kUtf8 = 1, kUsAscii = 2, kOther = 12; // numbers of encodings

void set_word(dt_code& code, std::size_t which, uint64_t value)
{
    std::memcpy(code.head + which * sizeof value, &value, sizeof value);
}

dt_code ruby_method(const std::string& name, const std::string& file, uint64_t encoding = kUtf8)
{
    dt_code code{};
    set_word(code, DT_METHOD_FORM, DT_METHOD_IN_RUBY);
    set_word(code, DT_METHOD_NAME, name.size() | encoding << 32);
    set_word(code, DT_METHOD_FILE, file.size() | kUsAscii << 32);
    code.got[0] = static_cast<uint32_t>(name.copy(reinterpret_cast<char*>(code.name), DT_CODE_NAME - 1));
    code.got[1] = static_cast<uint32_t>(file.copy(reinterpret_cast<char*>(code.file), DT_CODE_FILE - 1));
    return code;
}

/// Returns the text of a stack frame; empty if the frame has no name.
std::string ruby_named(const dt_code& code, int32_t line = 12)
{
    const auto frame = kRuby.name_frame({}, code, line);
    return frame ? frame->function + " " + frame->file + ":" + std::to_string(frame->line) : "";
}

TEST(InterpretersRuby, FramesHaveMethodFileAndLine)
{
    EXPECT_EQ(ruby_named(ruby_method("block in sell", "shop.rb")), "block in sell shop.rb:12");
    EXPECT_EQ(ruby_named(ruby_method("each", ""), 0), "each no file:0") << "native code called it";
    dt_code in_c = ruby_method("each", "shop.rb");
    set_word(in_c, DT_METHOD_FORM, DT_METHOD_IN_C);
    EXPECT_EQ(ruby_named(in_c), "each shop.rb:12");
    EXPECT_EQ(ruby_named(ruby_method("", "shop.rb")), "(no name) shop.rb:12");
}

TEST(InterpretersRuby, NamesAreInUtf8)
{
    EXPECT_EQ(ruby_named(ruby_method("b\u00e4ume", "shop.rb")), "b\u00e4ume shop.rb:12");
    EXPECT_EQ(ruby_named(ruby_method("b\xe4ume", "shop.rb")), "b\ufffdume shop.rb:12");
    EXPECT_EQ(ruby_named(ruby_method("b\xe4ume", "shop.rb", kOther)), "b\ufffdume shop.rb:12");
}

TEST(InterpretersRuby, ACutNameSaysSo)
{
    dt_code code = ruby_method("seller", "shop.rb");
    code.got[0] = 4;
    EXPECT_EQ(ruby_named(code), "sell... shop.rb:12");
    EXPECT_EQ(ruby_named(ruby_method("a" + std::string(300, 'x'), "shop.rb")),
              "a" + std::string(DT_CODE_NAME - 2, 'x') + "... shop.rb:12");
    code = ruby_method("b\u00e4ume", "shop.rb");
    code.got[0] = 2;
    EXPECT_EQ(ruby_named(code), "b... shop.rb:12") << "half a character";
}

TEST(InterpretersRuby, OtherObjectsHaveNoName)
{
    const dt_code good = ruby_method("sell", "shop.rb");
    const auto changed = [&](auto change) {
        dt_code code = good;
        change(code);
        return ruby_named(code);
    };
    EXPECT_EQ(changed([](dt_code& code) { set_word(code, DT_METHOD_FORM, 0); }), "");
    EXPECT_EQ(changed([](dt_code& code) { set_word(code, DT_METHOD_FORM, DT_METHOD_FORMS); }), "");
    EXPECT_EQ(changed([](dt_code& code) { set_word(code, DT_METHOD_NAME, 1 << 20); }), "") << "too long";
    EXPECT_EQ(changed([](dt_code& code) { code.name[1] = 0; }), "") << "ends early";
    EXPECT_EQ(changed([](dt_code& code) { code.file[1] = 0; }), "");
    EXPECT_EQ(changed([](dt_code& code) { code.got[1] = 0; }), "") << "not captured";
    EXPECT_EQ(ruby_named(good, -1), "");
}

TEST(InterpretersRuby, AnyBytesAreHarmless)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = ruby_method("block in sell", "shop.rb", random() % 4);
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % (sizeof code - DT_CODE_TABLE)] = static_cast<unsigned char>(random());
        const auto frame = kRuby.name_frame({}, code, static_cast<int32_t>(random()) >> (random() % 32));
        if (frame) {
            EXPECT_LE(frame->function.size(), 3 * DT_CODE_NAME + 3);
        }
    }
}

/// Returns the path of an installed interpreter's library; empty if there is none.
std::string ruby_library()
{
    for (const auto& each : std::filesystem::directory_iterator(
             "/usr/lib/x86_64-linux-gnu", std::filesystem::directory_options::skip_permission_denied))
        if (each.is_regular_file() && each.path().filename().string().starts_with("libruby"))
            return each.path().string();
    return {};
}

TEST(InterpretersRuby, AnInstalledLibraryHasALoopAndNames)
{
    if (!std::filesystem::is_directory("/usr/lib/x86_64-linux-gnu") || ruby_library().empty())
        GTEST_SKIP() << "libruby is not installed";
    RuntimeImage image(ruby_library());
    const auto build = kRuby.recognise(image);
    ASSERT_TRUE(build);
    EXPECT_GT(build->layout.loop[0].end, build->layout.loop[0].start + 10'000);
    if (!build->problem.starts_with("dtrace supports versions")) {
        EXPECT_EQ(build->problem, "");
        EXPECT_NE(build->layout.control.names, 0U);
    }
}

TEST(InterpretersRuby, DamagedFilesAreHarmless)
{
    constexpr std::size_t kBeginning = 1 << 18; // size of the damaged part: headers, symbols and relocations
    if (!std::filesystem::is_directory("/usr/lib/x86_64-linux-gnu") || ruby_library().empty())
        GTEST_SKIP() << "libruby is not installed";
    std::ifstream file(ruby_library(), std::ios::binary);
    const std::string good((std::istreambuf_iterator<char>(file)), {});
    ASSERT_GT(good.size(), kBeginning);
    const std::string path = testing::TempDir() + "damaged_ruby_" + std::to_string(getpid());
    std::mt19937 random(67);
    for (int round = 0; round < 40; ++round) {
        std::string bytes = good;
        for (int i = 0; i < (round < 20 ? 200 : 20'000); ++i)
            bytes[sizeof(Elf64_Ehdr) + random() % (kBeginning - sizeof(Elf64_Ehdr))] = static_cast<char>(random());
        if (round % 4 == 3)
            bytes.resize(random() % bytes.size());
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        RuntimeImage image(path);
        if (image.is_found())
            kRuby.recognise(image);
    }
    std::filesystem::remove(path);
}

} // namespace
} // namespace dt
