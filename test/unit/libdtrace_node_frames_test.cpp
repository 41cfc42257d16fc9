// Tests the names of Node.js stack frames. They are read from captured bytes of function objects; random bytes must do
// no harm.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace {

struct CapturedText {
    uint32_t form = DT_TEXT_NONE;
    std::string bytes;
    /// length of the text in the traced program; 0: the same as the length of `bytes`, that is, the whole text was
    /// captured
    uint64_t length = 0;
};

CapturedText one_byte(std::string text)
{
    return {DT_TEXT_1_BYTE, std::move(text), 0};
}

CapturedText two_byte(const std::u16string& text)
{
    return {DT_TEXT_2_BYTE, std::string(reinterpret_cast<const char*>(text.data()), text.size() * 2), 0};
}

dt_code captured_function(const CapturedText& name, const CapturedText& file, uint64_t line = 7)
{
    dt_code code{};
    const auto word = [](const CapturedText& text) {
        return text.form | (text.length != 0 ? text.length : text.bytes.size()) << 32;
    };
    const uint64_t head[DT_FUNCTION_WORDS] = {word(name), word(file), line, 0};
    std::memcpy(code.head, head, sizeof head);
    std::memcpy(code.name, name.bytes.data(), name.bytes.size());
    std::memcpy(code.file, file.bytes.data(), file.bytes.size());
    code.got[0] = static_cast<uint32_t>(name.bytes.size());
    code.got[1] = static_cast<uint32_t>(file.bytes.size());
    return code;
}

/// Returns `function (file:line)`; empty if the frame has no name.
std::string shown(const dt_code& code)
{
    const auto frame = kNode.name_frame(RuntimeBuild(), code, 0);
    return frame ? frame->function + " (" + frame->file + ":" + std::to_string(frame->line) + ")" : "";
}

TEST(NodeFrames, AFrameHasFunctionFileAndLine)
{
    EXPECT_EQ(shown(captured_function(one_byte("sell"), one_byte("/srv/shop.js"), 12)), "sell (/srv/shop.js:12)");
}

TEST(NodeFrames, TextsOfOneAndTwoByteCharactersBecomeUtf8)
{
    EXPECT_EQ(shown(captured_function(one_byte("gr\xf6\xdf"
                                               "e"),
                                      two_byte(u"/größe€.js"))),
              "größe (/größe€.js:7)");
    EXPECT_EQ(shown(captured_function(two_byte(u"𝒇x"), one_byte("f.js"))), "𝒇x (f.js:7)");
}

TEST(NodeFrames, AnIncompleteCharacterIsReplaced)
{
    EXPECT_EQ(shown(captured_function(two_byte(std::u16string(u"a") + char16_t{0xd835}), one_byte("f.js"))),
              "a\xef\xbf\xbd (f.js:7)");
}

TEST(NodeFrames, AMissingNameOrFileIsReplacedByAnExplanation)
{
    EXPECT_EQ(shown(captured_function({}, one_byte("f.js"))), "(anonymous) (f.js:7)");
    EXPECT_EQ(shown(captured_function(one_byte("map"), {DT_TEXT_BUILTIN, "", 0}, 0)), "map (builtin:0)");
    EXPECT_EQ(shown(captured_function(one_byte("f"), {}, 0)), "f (no file:0)");
    EXPECT_EQ(shown(captured_function({DT_TEXT_ROPE, "", 0}, one_byte("f.js"))), "(name not in one place) (f.js:7)");
}

TEST(NodeFrames, ATruncatedTextHasThreeDotsWhereTextIsMissing)
{
    CapturedText cut = one_byte("long");
    cut.length = 1000;
    EXPECT_EQ(shown(captured_function(cut, one_byte("f.js"))), "long... (f.js:7)");
    CapturedText end = one_byte("load");
    end.form |= DT_TEXT_END;
    EXPECT_EQ(shown(captured_function(end, one_byte("f.js"))), "...load (f.js:7)");
    end = one_byte(".load");
    end.form |= DT_TEXT_END;
    EXPECT_EQ(shown(captured_function(end, one_byte("f.js"))), "...load (f.js:7)");
}

TEST(NodeFrames, BytesThatAreNotAFunctionGiveNoFrame)
{
    const CapturedText file = one_byte("f.js");
    EXPECT_EQ(shown(captured_function(one_byte("a\nb"), file)), "") << "a source text";
    EXPECT_EQ(shown(captured_function(one_byte(std::string(1, '\0')), file)), "");
    EXPECT_EQ(shown(captured_function({DT_TEXT_FORMS, "", 0}, file)), "") << "unknown form";
    EXPECT_EQ(shown(captured_function({DT_TEXT_NONE, "", 5}, file)), "") << "a length without a text";
    EXPECT_EQ(shown(captured_function({DT_TEXT_2_BYTE, "abc", 0}, file)), "") << "half a unit";
    EXPECT_EQ(shown(captured_function({DT_TEXT_1_BYTE, "", 4}, file)), "") << "not captured";
    EXPECT_EQ(shown(captured_function(one_byte("f"), file, uint64_t{1} << 32)), "") << "no line";
}

TEST(NodeFrames, ArbitraryBytesDoNoHarm)
{
    std::mt19937 random(67);
    for (int round = 0; round < 20'000; ++round) {
        dt_code code = captured_function(one_byte("function"), two_byte(u"/srv/file.js"));
        auto* const bytes = reinterpret_cast<unsigned char*>(&code);
        for (int i = 0; i < 8; ++i)
            bytes[random() % (offsetof(dt_code, file) + 64)] = static_cast<unsigned char>(random());
        for (unsigned i = 0; i < random() % 4; ++i)
            code.head[random() % (DT_FUNCTION_WORDS * 8)] = static_cast<unsigned char>(random());
        code.got[random() % 2] = random() % 2 == 0 ? random() : random() % 16;
        const auto frame = kNode.name_frame(RuntimeBuild(), code, static_cast<int32_t>(random()));
        if (frame) {
            EXPECT_LE(frame->function.size(), 4 * DT_CODE_NAME);
            EXPECT_LE(frame->file.size(), 4 * DT_CODE_FILE);
        }
    }
}

} // namespace
} // namespace dt
