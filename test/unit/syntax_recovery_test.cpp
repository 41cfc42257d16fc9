// Tests that the parser finds several errors in one run, and that its limits hold for arbitrary input.
#include "syntax_support.hpp"

#include <ctime>

namespace {

using namespace dt;
using namespace dt::test;

std::string repeated(std::string_view text, std::size_t times)
{
    std::string result;
    for (std::size_t i = 0; i < times; ++i)
        result += text;
    return result;
}

std::vector<uint32_t> error_lines(const std::string& text)
{
    Parse parse(text);
    std::vector<uint32_t> lines;
    for (const Diagnostic& diagnostic : parse.run().diagnostics.list())
        lines.push_back(diagnostic.at.line);
    return lines;
}

TEST(ErrorRecovery, ParsingContinuesAtTheNextClause)
{
    EXPECT_EQ(error_lines("BEGIN { x = ; y = 1; }\nEND { z = 1; }\nERROR { 1 + ; }\n"), (std::vector<uint32_t>{1, 3}));
}

TEST(ErrorRecovery, ClausesAndDeclarationsWithoutErrorsAreKept)
{
    Parse parse("BEGIN { x = ; }\nint y;\nEND { y = 1; }");
    EXPECT_EQ(parse.run().tree(), "int y\nclause :::END\n  (= y 1)\n");
}

TEST(ErrorRecovery, NestedBracesBelongToTheClauseWithTheError)
{
    EXPECT_EQ(error_lines("BEGIN { for (;;) { if (x) { } } y; }\nEND { x = ; }"), (std::vector<uint32_t>{1, 2}));
}

TEST(ErrorRecovery, BracesInStringsAndCommentsDoNotCount)
{
    EXPECT_EQ(error_lines("BEGIN { x = ; \"}\"; /* } */ // }\n '}'; }\nEND { x = ; }"), (std::vector<uint32_t>{1, 3}));
}

TEST(ErrorRecovery, ParsingContinuesAfterAFailedDeclaration)
{
    EXPECT_EQ(error_lines("int x y;\nint int z;\nint ok;\nstruct p { int; } v, w;\nEND { x = ; }"),
              (std::vector<uint32_t>{1, 2, 4, 5}));
    EXPECT_EQ(error_lines("struct p { int x y; }\nBEGIN { }\nEND { x = ; }"), (std::vector<uint32_t>{1, 3}));
}

TEST(ErrorRecovery, ParsingContinuesAfterAFailedDescriptionOrPredicate)
{
    EXPECT_EQ(error_lines("a:b:c:d:e { x = ; }\nBEGIN /x y/ { z = ; }\nEND { x = ; }"),
              (std::vector<uint32_t>{1, 2, 3}));
}

TEST(ErrorRecovery, AnUnclosedBraceEndsAtTheNextLineThatBeginsAClause)
{
    EXPECT_EQ(error_lines("BEGIN {\n x = ;\n\nsyscall::read:entry {\n y = ;\n}\n"), (std::vector<uint32_t>{2, 5}));
}

TEST(ErrorRecovery, AClauseWithoutABodyDoesNotHideErrorsOfTheNextClause)
{
    EXPECT_EQ(error_lines("BEGIN\nsyscall::read:entry { y = ; }\n"), (std::vector<uint32_t>{2, 2}));
}

TEST(ErrorRecovery, ParsingContinuesAfterLexicalErrors)
{
    Parse parse("BEGIN { x = 089; }\nEND { y = \"a\n\"; }\nERROR { z = ''; }");
    EXPECT_EQ(parse.run().tags(), (std::vector<std::string>{"D_INT_DIGIT", "D_STR_NL", "D_CHR_NULL"}));
}

TEST(ErrorRecovery, ParsingStopsAtTheMaximumNumberOfErrors)
{
    Parse parse(repeated("BEGIN { x = ; }\n", 1000));
    EXPECT_EQ(parse.run().diagnostics.count(), Diagnostics::kMax);
}

TEST(ErrorRecovery, AStrayClosingBraceIsOneError)
{
    EXPECT_EQ(Parse("} BEGIN { }\n").run().diagnostics.count(), 1U);
}

// ---- limits ----

TEST(ParserLimits, VeryDeepNestingOfExpressionsAndStatementsIsRefused)
{
    const std::size_t n = 100000;
    const std::vector<std::string> inside{repeated("(", n),
                                          repeated("- ", n),
                                          repeated("!", n),
                                          repeated("++", n),
                                          repeated("sizeof ", n),
                                          repeated("stringof ", n),
                                          repeated("(int)", n),
                                          repeated("a ? ", n),
                                          repeated("a ? b : ", n),
                                          repeated("a = ", n),
                                          repeated("a[", n),
                                          repeated("f(", n),
                                          repeated("if (a) ", n),
                                          repeated("if (a) { ", n),
                                          repeated("if (a) ; else ", n),
                                          repeated("sizeof (", n),
                                          repeated("*&", n),
                                          repeated("xlate<int>(", n),
                                          repeated("(struct { int x[(", n),
                                          repeated("(int (*)(", n),
                                          repeated("a || (b + ", n)};
    for (const std::string& text : inside)
        EXPECT_EQ(tag_of("BEGIN { " + text), "D_SYNTAX") << text.substr(0, 20);
}

TEST(ParserLimits, VeryDeepNestingOfDeclarationsIsRefused)
{
    const std::size_t n = 100000;
    for (const std::string& text :
         {"int " + repeated("(", n), "int x" + repeated("(int ", n), "int " + repeated("*(", n),
          repeated("struct { ", n), "int x[" + repeated("(", n), "int " + repeated("*", n) + "x;",
          "int x" + repeated("[1]", n) + ";", "enum { A = (enum { B = (" + repeated("enum { C = (", n)})
        EXPECT_EQ(tag_of(text), "D_SYNTAX") << text.substr(0, 20);
}

TEST(ParserLimits, NestingOfSeveralHundredLevelsIsAccepted)
{
    EXPECT_EQ(tag_of("BEGIN { x = " + repeated("(", 300) + "1" + repeated(")", 300) + "; }"), "");
    EXPECT_EQ(tag_of("BEGIN { " + repeated("if (a) { ", 300) + repeated("}", 300) + " }"), "");
    EXPECT_EQ(tag_of("BEGIN { x = 1" + repeated(" + 1", 3000) + "; }"), "");
    EXPECT_EQ(tag_of("BEGIN { x = " + repeated("a ? 1 : ", 500) + "2; }"), "");
}

TEST(ParserLimits, VeryLongExpressionsAreRefused)
{
    EXPECT_EQ(tag_of("BEGIN { x = 1" + repeated(" + 1", 10000) + "; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { x = p" + repeated("->a", 10000) + "; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { x" + repeated(", x", 10000) + "; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { f" + repeated("(1)", 10000) + "; }"), "D_SYNTAX");
}

TEST(ParserLimits, NumbersOfClausesStatementsAndArgumentsAreUnlimited)
{
    EXPECT_EQ(tag_of("BEGIN { " + repeated("x = 1;", 20000) + " }"), "");
    EXPECT_EQ(tag_of(repeated("BEGIN { x = 1; }\n", 20000)), "");
    EXPECT_EQ(tag_of("BEGIN { f(1" + repeated(", 1", 20000) + "); }"), "");
    EXPECT_EQ(tag_of("BEGIN" + repeated(", END", 20000) + " { }"), "");
}

TEST(ParserLimits, ParsingTakesLinearTime)
{
    const auto seconds = [](const std::string& text) {
        const std::clock_t begin = std::clock();
        Parse(text).run();
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    // The limit of 60 seconds only detects quadratic time, with which each of these long texts would take minutes.
    for (const char* piece : {"BEGIN { x = ; }\n", "/ ", "a /", "\"", "'", "{", "}", "/*", "(a", "x y ", "#\n", "\\\n",
                              "1", "a:", "BEGIN,", "\n", "$1"}) {
        EXPECT_LT(seconds(repeated(piece, 200000)), 60.0) << piece;
        EXPECT_LT(seconds("BEGIN { x = ; " + repeated(piece, 200000)), 60.0) << piece;
        EXPECT_LT(seconds("BEGIN /" + repeated(piece, 200000)), 60.0) << piece;
    }
}

} // namespace
