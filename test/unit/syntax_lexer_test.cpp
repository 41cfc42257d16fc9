// Tests blanks, comments, names, and how the lexer changes between its two modes (inside and outside of clauses).
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

TEST(Comments, ABlockCommentCountsAsABlank)
{
    EXPECT_EQ(tree_of("/* a */ BEGIN /* b\n c */ { /* d */ } /**/"), "clause :::BEGIN\n");
    EXPECT_EQ(expr_of("x = 4 /* a */ / 2"), "(= x (/ 4 2))");
}

TEST(Comments, BlockCommentsDoNotNest)
{
    EXPECT_EQ(tag_of("/* a /* b */ BEGIN { }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { } /* a"), "D_SYNTAX");
}

TEST(Comments, TheErrorForAnUnclosedCommentIsReportedOnTheLastLine)
{
    EXPECT_EQ(line_of("BEGIN { }\n/* a\nb\nc"), 4U);
}

TEST(Comments, ErrorsAfterAMalformedCommentAreReported)
{
    Parse parse("/* a /* b */ BEGIN { x = ; }");
    EXPECT_EQ(parse.run().diagnostics.count(), 2U);
}

TEST(Comments, ALineCommentEndsAtTheEndOfItsLine)
{
    EXPECT_EQ(tree_of("// a\nBEGIN // b /* c\n{ // d }\n}"), "clause :::BEGIN\n");
    EXPECT_EQ(expr_of("x = 1 // one\n + 2"), "(= x (+ 1 2))");
}

TEST(Comments, ACommentMayFollowTheSlashOfAPredicate)
{
    EXPECT_EQ(tree_of("BEGIN /pid//* a */ { }"), "clause :::BEGIN\n  predicate pid\n");
    EXPECT_EQ(tree_of("BEGIN /pid/ // a\n { }"), "clause :::BEGIN\n  predicate pid\n");
    EXPECT_EQ(tree_of("BEGIN /pid// a\n/ { }"), "clause :::BEGIN\n  predicate pid\n");
}

TEST(Blanks, ABackslashBeforeANewlineCountsAsABlank)
{
    EXPECT_EQ(expr_of("x = \\\n 1"), "(= x 1)");
    EXPECT_EQ(tree_of("BEGIN\\\n{ }"), "clause :::BEGIN\n");
}

TEST(Names, ANameMayContainABackquote)
{
    EXPECT_EQ(expr_of("x = `jiffies"), "(= x `jiffies)");
    EXPECT_EQ(expr_of("x = vmlinux`jiffies"), "(= x vmlinux`jiffies)");
    EXPECT_EQ(expr_of("x = 9p`sym"), "(= x 9p`sym)");
    EXPECT_EQ(expr_of("x = a``sym"), "(= x a``sym)");
}

TEST(Names, AKeywordAfterAMemberOperatorIsAName)
{
    EXPECT_EQ(expr_of("x = p->string"), "(= x (-> p string))");
    EXPECT_EQ(expr_of("x = p.if.else"), "(= x (. (. p if) else))");
    EXPECT_EQ(expr_of("x = self->probe"), "(= x self->probe)");
}

TEST(Names, AKeywordCannotBeTheNameOfAVariable)
{
    for (const char* word : {"auto", "break", "case", "continue", "counter", "default", "do", "else", "for", "goto",
                             "import", "register", "return", "static", "switch", "while", "inline", "probe"})
        EXPECT_EQ(tag_of("BEGIN { " + std::string(word) + " = 1; }"), "D_SYNTAX") << word;
}

TEST(AggregationNames, BeginWithAnAtSignAndMayBeEmpty)
{
    EXPECT_EQ(expr_of("@ = count()"), "(= @_ (call count))");
    EXPECT_EQ(expr_of("@a1[x] = count()"), "(= ([] @a1 x) (call count))");
}

TEST(Characters, UnknownCharactersAreSyntaxErrors)
{
    EXPECT_EQ(message_of("BEGIN { # }"), "syntax error near \"#\"");
    EXPECT_EQ(message_of("BEGIN { x = \xc3\xa9; }"), "syntax error near \"\xc3\xa9\"");
    EXPECT_EQ(tag_of(std::string("BEGIN { \0 }", 11)), "D_SYNTAX");
    EXPECT_EQ(message_of("BEGIN { x = $; }"), "syntax error near \"$\"");
}

// ---- the outer level ----

TEST(OuterLevel, ATypeNameBeginsADeclaration)
{
    EXPECT_EQ(tree_of("uint64_t x; BEGIN { }"), "uint64_t x\nclause :::BEGIN\n");
    EXPECT_EQ(tree_of("foo_t*x; BEGIN { }"), "foo_t *x\nclause :::BEGIN\n");
    EXPECT_EQ(tree_of("char*x; BEGIN { }"), "char *x\nclause :::BEGIN\n");
}

TEST(OuterLevel, AProbeDescriptionMayBeginLikeAType)
{
    EXPECT_EQ(tree_of("foo_t: { }"), "clause ::foo_t:\n");
    EXPECT_EQ(tree_of("foo_t? { }"), "clause :::foo_t?\n");
    EXPECT_EQ(tree_of("foo* { }"), "clause :::foo*\n");
    EXPECT_EQ(tree_of("if { }"), "clause :::if\n");
}

TEST(OuterLevel, OnTheCommandLineATypeNameIsAProbeDescription)
{
    Parse parse("foo_t { }", SpecKind::Name);
    EXPECT_EQ(parse.run().tree(), "clause :::foo_t\n");
}

TEST(OuterLevel, WithTheOptionPspecATypeNameIsAProbeDescription)
{
    Parse parse("foo_t { }");
    parse.options.pspec = true;
    EXPECT_EQ(parse.run().tree(), "clause :::foo_t\n");
}

TEST(OuterLevel, OnTheCommandLineAKeywordBeginsADeclaration)
{
    Parse parse("int x; BEGIN { }", SpecKind::Name);
    EXPECT_EQ(parse.run().tree(), "int x\nclause :::BEGIN\n");
}

TEST(OuterLevel, ATypedefDefinesATypeName)
{
    EXPECT_EQ(tree_of("typedef int mine; mine x; BEGIN { y = (mine)1; }"),
              "typedef int mine\nmine x\nclause :::BEGIN\n  (= y (cast mine 1))\n");
}

} // namespace
