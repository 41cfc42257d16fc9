// Tests whether the shell recognizes a complete clause, or asks for more lines.
#include "cmd/shell/scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/shell/commands.hpp"
#include "cmd/shell/shell.hpp"

namespace dt::shell {
namespace {

using testing::ElementsAre;

TEST(LineScanner, AClauseIsCompleteWhenItsBracesBalance)
{
    EXPECT_TRUE(scan("BEGIN").is_open());
    EXPECT_TRUE(scan("BEGIN,\nEND\n").is_open());
    EXPECT_TRUE(scan("syscall::read:entry /pid == 1").is_open());
    EXPECT_TRUE(scan("syscall::read:entry /pid == 1/\n").is_open());
    EXPECT_TRUE(scan("BEGIN { if (1) { n++; }\n").is_open());
    EXPECT_FALSE(scan("BEGIN { if (1) { n++; } }\n").is_open());
    EXPECT_FALSE(scan("syscall::read:entry /arg0 \\/ 2/ { @ = count() }").is_open());
}

TEST(LineScanner, BracesInStringsAndCommentsDoNotCount)
{
    EXPECT_TRUE(scan("BEGIN { trace(\"}\");\n").is_open());
    EXPECT_TRUE(scan("BEGIN { /* }\n").is_open());
    EXPECT_TRUE(scan("BEGIN { // }\n").is_open());
    EXPECT_FALSE(scan("BEGIN { trace('}'); /* { */ }\n").is_open());
}

TEST(LineScanner, ACommentIsOpenUntilItsEnd)
{
    EXPECT_TRUE(scan("/* what").is_open());
    EXPECT_FALSE(scan("/* what */").is_open());
    EXPECT_THAT(scan("/* what */").items, ElementsAre());
}

TEST(LineScanner, ADeclarationEndsWithItsSemicolon)
{
    EXPECT_TRUE(scan("struct point { int x; int y; }").is_open());
    EXPECT_TRUE(scan("inline int N =\n").is_open());
    EXPECT_FALSE(scan("inline int N = 3;").is_open());
    EXPECT_FALSE(scan("struct point { int x; int y; };").is_open());
    EXPECT_FALSE(scan("self int depth;").is_open());
    EXPECT_FALSE(scan("point_t origin;").is_open());
}

TEST(LineScanner, EachClauseIsAnItemTogetherWithTheCommentBeforeIt)
{
    EXPECT_THAT(scan("int n;\n\n/* first */\nBEGIN { n = 1; };\nEND { trace(n); }\n").items,
                ElementsAre("int n;", "/* first */\nBEGIN { n = 1; };", "END { trace(n); }"));
}

TEST(LineScanner, APragmaAtTheEndIsASeparateItem)
{
    EXPECT_THAT(scan("#pragma D option quiet").items, ElementsAre("#pragma D option quiet"));
    EXPECT_THAT(scan("#pragma D option quiet\nBEGIN { }").items, ElementsAre("#pragma D option quiet\nBEGIN { }"));
}

TEST(LineScanner, LexicalErrorsAreLeftToTheCompiler)
{
    EXPECT_FALSE(scan("BEGIN { trace(\"open); }\n}").is_open());
    EXPECT_TRUE(scan("BEGIN { trace($1); trace(\xc3\xa9);").is_open());
    EXPECT_TRUE(scan("BEGIN { trace(\"open").in_literal);
}

TEST(LineScanner, TheInterpreterLineIsNoClause)
{
    EXPECT_THAT(clauses_of_script("#!/usr/sbin/dtrace -qs\nBEGIN { exit(0); }\n"), ElementsAre("BEGIN { exit(0); }"));
    EXPECT_THAT(clauses_of_script("BEGIN { }\nEND {\n"), ElementsAre("BEGIN { }", "END {"));
}

TEST(LineScanner, TheFirstWordIsACommandUnlessItIsAProbeName)
{
    ASSERT_NE(find_command("list syscall:::"), nullptr);
    EXPECT_EQ(find_command("list syscall:::")->name, "list");
    EXPECT_EQ(find_command("  run\n")->name, "run");
    EXPECT_EQ(find_command(":quit")->name, "quit");
    EXPECT_EQ(find_command("list:::entry"), nullptr);
    EXPECT_EQ(find_command(":list:entry"), nullptr);
    EXPECT_EQ(find_command("run { trace(1); }"), nullptr);
    EXPECT_EQ(find_command("listing"), nullptr);
    EXPECT_EQ(operand_of("  option  quiet \n"), "quiet");
    EXPECT_EQ(operand_of("run\n"), "");
}

} // namespace
} // namespace dt::shell
