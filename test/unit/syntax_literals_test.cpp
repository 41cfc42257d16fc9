// Tests literals: integers, characters, and strings with their escape sequences.
#include "syntax_support.hpp"

#include "dcompiler/syntax/token.hpp"

namespace {

using namespace dt;
using namespace dt::test;
using syntax::unescape;

TEST(EscapeSequences, ALetterEscapeBecomesTheCharacterThatItStandsFor)
{
    EXPECT_EQ(unescape(R"(\a\b\f\n\r\t\v\\\")"), "\a\b\f\n\r\t\v\\\"");
}

TEST(EscapeSequences, AnOctalEscapeHasAtMostThreeDigits)
{
    EXPECT_EQ(unescape(R"(\101)"), "A");
    EXPECT_EQ(unescape(R"(\1018)"), "A8");
    EXPECT_EQ(unescape(R"(\0)"), std::string(1, '\0'));
    EXPECT_EQ(unescape(R"(\78)"), "\a8");
}

TEST(EscapeSequences, HexadecimalEscapesTakeAllDigitsAndKeepTheLowByte)
{
    EXPECT_EQ(unescape(R"(\x41)"), "A");
    EXPECT_EQ(unescape(R"(\x0000141)"), "A");
    EXPECT_EQ(unescape(R"(\x41g)"), "Ag");
}

TEST(EscapeSequences, UnknownEscapesAreUnchanged)
{
    EXPECT_EQ(unescape(R"(\q)"), "\\q");
    EXPECT_EQ(unescape(R"(\x)"), "\\x");
    EXPECT_EQ(unescape("a\\"), "a\\");
}

TEST(Integers, ThePrefixDeterminesTheBase)
{
    EXPECT_EQ(expr_of("x = 10"), "(= x 10)");
    EXPECT_EQ(expr_of("x = 010"), "(= x 8)");
    EXPECT_EQ(expr_of("x = 0x10"), "(= x 16)");
    EXPECT_EQ(expr_of("x = 0XfF"), "(= x 255)");
    EXPECT_EQ(expr_of("x = 0"), "(= x 0)");
}

TEST(Integers, TheLettersOfASuffixHaveAFixedOrder)
{
    EXPECT_EQ(expr_of("x = 1u"), "(= x 1u)");
    EXPECT_EQ(expr_of("x = 1ULL"), "(= x 1ull)");
    EXPECT_EQ(expr_of("x = 1l"), "(= x 1l)");
    EXPECT_EQ(tag_of("BEGIN { x = 1lu; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { x = 1lll; }"), "D_SYNTAX");
}

TEST(Integers, AnInvalidOctalDigitIsAnError)
{
    EXPECT_EQ(tag_of("BEGIN { trace(089); }"), "D_INT_DIGIT");
    EXPECT_EQ(tag_of("BEGIN { trace(0779); }"), "D_INT_DIGIT");
}

TEST(Integers, IntegersThatAreTooLargeAreErrors)
{
    EXPECT_EQ(tag_of("BEGIN { trace(0x1ffffffffffffffff); }"), "D_INT_OFLOW");
    EXPECT_EQ(tag_of("BEGIN { trace(18446744073709551616u); }"), "D_INT_OFLOW");
    EXPECT_EQ(tag_of("BEGIN { trace(18446744073709551615); }"), "D_INT_OFLOW");
    EXPECT_EQ(tag_of("BEGIN { trace(18446744073709551615u); }"), "");
    EXPECT_EQ(tag_of("BEGIN { trace(0xffffffffffffffff); }"), "");
    EXPECT_EQ(tag_of("BEGIN { trace(9223372036854775807); }"), "");
}

TEST(FloatingPointLiterals, AreSyntaxErrors)
{
    for (const char* text : {"1.5", "1e3", "1E-3", ".5f", "1.", "1f", "2.5L"})
        EXPECT_EQ(tag_of("BEGIN { trace(" + std::string(text) + "); }"), "D_SYNTAX") << text;
}

TEST(CharacterConstants, TheFirstByteIsTheMostSignificant)
{
    EXPECT_EQ(expr_of("x = 'a'"), "(= x 97)");
    EXPECT_EQ(expr_of("x = 'ab'"), "(= x " + std::to_string(0x6162) + ")");
    EXPECT_EQ(expr_of(R"(x = '\n')"), "(= x 10)");
    EXPECT_EQ(expr_of(R"(x = '\377')"), "(= x 255)");
}

TEST(CharacterConstants, AnEscapedQuoteIsTwoBytes)
{
    EXPECT_EQ(expr_of(R"(x = '\'')"), "(= x " + std::to_string(0x5c27) + ")");
}

TEST(CharacterConstants, MalformedConstantsAreErrors)
{
    EXPECT_EQ(tag_of("BEGIN { trace(''); }"), "D_CHR_NULL");
    EXPECT_EQ(tag_of("BEGIN { trace('abcdefghi'); }"), "D_CHR_OFLOW");
    EXPECT_EQ(tag_of("BEGIN { trace('abcdefgh'); }"), "");
    EXPECT_EQ(tag_of("BEGIN { trace('a\n'); }"), "D_CHR_NL");
    EXPECT_EQ(tag_of("BEGIN { trace('a"), "D_SYNTAX");
}

TEST(StringLiterals, EscapesAreResolved)
{
    EXPECT_EQ(expr_of(R"(x = "a\tb\"c\x01")"), R"((= x "a\x09b\"c\x01"))");
}

TEST(StringLiterals, TheBeginningOfACommentInsideAStringIsText)
{
    EXPECT_EQ(expr_of(R"(x = "http://a /* b */")"), R"((= x "http://a /* b */"))");
}

TEST(StringLiterals, ANewlineInAStringIsAnError)
{
    EXPECT_EQ(tag_of("BEGIN { trace(\"a\n\"); }"), "D_STR_NL");
    EXPECT_EQ(line_of("BEGIN { trace(\"a\n\"); }"), 2U);
    EXPECT_EQ(tag_of("BEGIN { trace(\"a\\\n\"); }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { trace(\"a"), "D_SYNTAX");
}

TEST(StringLiterals, AdjacentStringsAreNotConcatenated)
{
    EXPECT_EQ(message_of("BEGIN { trace(\"a\" \"b\"); }"), "syntax error near \"\"b\"\"");
}

TEST(Durations, AreNumbersOfNanoseconds)
{
    EXPECT_EQ(expr_of("x = 10ms"), "(= x 10000000l)");
    EXPECT_EQ(expr_of("x = 2us + 0s"), "(= x (+ 2000l 0l))");
    EXPECT_EQ(expr_of("x = 106751d"), "(= x 9223286400000000000l)");
    EXPECT_EQ(tag_of("BEGIN { trace(106752d); }"), "D_INT_OFLOW");
    EXPECT_EQ(tag_of("BEGIN { trace(010ms); }"), "D_SYNTAX");
    EXPECT_EQ(expr_of("x = 0x1d"), "(= x 29)");
}

} // namespace
