// Tests the names of Perl's stack frames, which are read from captured bytes of functions. Random bytes must do no
// harm.
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

void put_word(dt_code& code, std::size_t which, uint64_t value)
{
    std::memcpy(code.head + which * sizeof value, &value, sizeof value);
}

/// Writes a text, a zero byte and a byte of flags to `to`. Returns the number of bytes.
uint32_t put_name(unsigned char* to, const std::string& text, unsigned char flags)
{
    std::memcpy(to, text.c_str(), text.size() + 1);
    to[text.size() + 1] = flags;
    return static_cast<uint32_t>(text.size() + 2);
}

dt_code perl_function(uint64_t form, const std::string& package, const std::string& name, unsigned char flags = 0)
{
    dt_code code{};
    put_word(code, DT_CONTEXT_FORM, form);
    put_word(code, DT_CONTEXT_NAME_LENGTH, name.size());
    put_word(code, DT_CONTEXT_PACKAGE_LENGTH, package.size());
    code.got[0] = put_name(code.name, name, flags);
    code.got[1] = DT_CONTEXT_FILE;
    code.got[2] = put_name(code.table, package, flags);
    std::strcpy(reinterpret_cast<char*>(code.file), "shop.pl");
    return code;
}

/// Returns the text of a stack frame; empty if the frame has no name.
std::string perl_named(const dt_code& code, int32_t line = 12)
{
    const auto frame = kPerl.name_frame({}, code, line);
    return frame ? frame->function + " " + frame->file + ":" + std::to_string(frame->line) : "";
}

TEST(InterpretersPerl, AFrameShowsPackageFunctionAndLine)
{
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_FUNCTION, "Shop", "sell")), "Shop::sell shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_FUNCTION, "", "sell")), "__ANON__::sell shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_LEXICAL, "", "sell")), "sell shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_EVALUATED, "", "")), "(eval) shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_MAIN, "", "")), "(main) shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_FUNCTION, "Shop", "sell"), 0), "Shop::sell shop.pl:0") << "not known";
}

TEST(InterpretersPerl, NamesAreLatin1BytesOrUtf8)
{
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_LEXICAL, "", "b\xe4ume")), "b\u00e4ume shop.pl:12");
    EXPECT_EQ(perl_named(perl_function(DT_CONTEXT_LEXICAL, "", "b\u00e4ume", 1)), "b\u00e4ume shop.pl:12");
}

TEST(InterpretersPerl, ATruncatedNameEndsWithThreeDots)
{
    dt_code code = perl_function(DT_CONTEXT_LEXICAL, "", "seller");
    code.got[0] = 4;
    EXPECT_EQ(perl_named(code), "sell... shop.pl:12");
    std::memset(code.file, 'x', DT_CONTEXT_FILE - 1);
    EXPECT_EQ(perl_named(code), "sell... " + std::string(DT_CONTEXT_FILE - 1, 'x') + "...:12");
}

TEST(InterpretersPerl, AnObjectThatIsNoFunctionHasNoName)
{
    const dt_code good = perl_function(DT_CONTEXT_FUNCTION, "Shop", "sell");
    const auto changed = [&](auto change) {
        dt_code code = good;
        change(code);
        return perl_named(code);
    };
    EXPECT_EQ(changed([](dt_code& code) { put_word(code, DT_CONTEXT_FORM, 0); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_word(code, DT_CONTEXT_FORM, DT_CONTEXT_FORMS); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_word(code, DT_CONTEXT_NAME_LENGTH, 0); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_word(code, DT_CONTEXT_NAME_LENGTH, ~uint64_t{0}); }), "");
    EXPECT_EQ(changed([](dt_code& code) { put_word(code, DT_CONTEXT_PACKAGE_LENGTH, 2); }), "") << "no end there";
    EXPECT_EQ(changed([](dt_code& code) { code.name[1] = 0; }), "") << "ends early";
    EXPECT_EQ(changed([](dt_code& code) { code.got[1] = 0; }), "");
    EXPECT_EQ(perl_named(good, -1), "");
}

TEST(InterpretersPerl, ArbitraryBytesDoNoHarm)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = perl_function(1 + random() % (DT_CONTEXT_FORMS - 1), "Shop", "sell");
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % (sizeof code - DT_CODE_TABLE)] = static_cast<unsigned char>(random());
        const auto frame = kPerl.name_frame({}, code, static_cast<int32_t>(random()) >> (random() % 32));
        if (frame) {
            EXPECT_LE(frame->function.size(), 2 * (DT_CODE_NAME + DT_CODE_TABLE));
        }
    }
}

TEST(InterpretersPerl, DamagedFilesDoNoHarm)
{
    constexpr std::size_t kBeginning = 1 << 18; // size of the damaged part: headers, symbols and relocations
    std::ifstream file("/usr/bin/perl", std::ios::binary);
    const std::string good((std::istreambuf_iterator<char>(file)), {});
    if (good.size() <= kBeginning)
        GTEST_SKIP() << "/usr/bin/perl is no program";
    const std::string path = testing::TempDir() + "damaged_perl_" + std::to_string(getpid());
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
            kPerl.recognise(image);
    }
    std::filesystem::remove(path);
}

} // namespace
} // namespace dt
