// Tests patterns of probe descriptions: * ? [set] [!set] \ (world.hpp).
#include <gtest/gtest.h>

#include "probes/provider.hpp"

namespace dt {
namespace {

TEST(Glob, EmptyPatternMatchesAnything)
{
    EXPECT_TRUE(glob_match("", ""));
    EXPECT_TRUE(glob_match("", "read"));
}

TEST(Glob, PlainTextMatchesOnlyItself)
{
    EXPECT_TRUE(glob_match("read", "read"));
    EXPECT_FALSE(glob_match("read", "readv"));
    EXPECT_FALSE(glob_match("readv", "read"));
}

TEST(Glob, AStarMatchesAnyTextAndAQuestionMarkOneCharacter)
{
    EXPECT_TRUE(glob_match("*", ""));
    EXPECT_TRUE(glob_match("re*", "read"));
    EXPECT_TRUE(glob_match("*ad*4", "pread64"));
    EXPECT_TRUE(glob_match("*a*b*c", "xaxbxbxc"));
    EXPECT_FALSE(glob_match("*a*b*c", "xaxbxb"));
    EXPECT_TRUE(glob_match("r??d", "read"));
    EXPECT_FALSE(glob_match("?", ""));
}

TEST(Glob, BracketsMatchSetsOfCharacters)
{
    EXPECT_TRUE(glob_match("[pr]*", "pread64"));
    EXPECT_TRUE(glob_match("tick-[0-9]s", "tick-5s"));
    EXPECT_FALSE(glob_match("[!r]ead", "read"));
    EXPECT_TRUE(glob_match("[]x]", "]"));
    EXPECT_TRUE(glob_match("[a-]", "-"));
    EXPECT_TRUE(glob_match("[\\]]", "]"));
}

TEST(Glob, AnUnclosedBracketIsPlainText)
{
    EXPECT_TRUE(glob_match("a[b", "a[b"));
    EXPECT_FALSE(glob_match("a[b", "ab"));
}

TEST(Glob, ABackslashMakesTheNextCharacterLiteral)
{
    EXPECT_TRUE(glob_match("a\\*", "a*"));
    EXPECT_FALSE(glob_match("a\\*", "ab"));
    EXPECT_TRUE(glob_match("a\\", "a\\"));
}

TEST(Glob, APatternWithManyStarsIsMatchedQuickly)
{
    std::string pattern, text(4096, 'a');
    for (int i = 0; i < 40; ++i)
        pattern += "*a";
    EXPECT_FALSE(glob_match(pattern + "b", text));
}

TEST(Glob, ATextWithoutPatternCharactersIsRecognizedAsLiteral)
{
    EXPECT_TRUE(probes::is_literal("tick-1s"));
    for (const char* text : {"", "*", "a?", "[a]", "\\a"})
        EXPECT_FALSE(probes::is_literal(text)) << text;
}

} // namespace
} // namespace dt
