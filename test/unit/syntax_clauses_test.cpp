// Tests the parser: clauses, descriptions (also of the command line), predicates, and if statements.
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

std::string spec_tree(const std::string& text, SpecKind kind)
{
    Parse parse(text, kind);
    return parse.run().tree();
}

std::string spec_tag(const std::string& text, SpecKind kind)
{
    Parse parse(text, kind);
    return parse.run().tag();
}

TEST(Clauses, AClauseHasDescriptionsAPredicateAndABody)
{
    EXPECT_EQ(tree_of("syscall::openat:entry,\nsyscall::close:entry\n/hits < 3/\n{ hits++; trace(1) }"),
              "clause syscall::openat:entry, syscall::close:entry\n  predicate (< hits 3)\n  (post ++ hits)\n  (call "
              "trace 1)\n");
}

TEST(Clauses, ComponentsOfADescriptionAreCountedFromTheRight)
{
    EXPECT_EQ(tree_of("BEGIN { }"), "clause :::BEGIN\n");
    EXPECT_EQ(tree_of("read:entry { }"), "clause ::read:entry\n");
    EXPECT_EQ(tree_of("vmlinux:read:entry { }"), "clause :vmlinux:read:entry\n");
    EXPECT_EQ(tree_of("syscall:::entry { }"), "clause syscall:::entry\n");
    EXPECT_EQ(tree_of("::: { }"), "clause :::\n");
}

TEST(Clauses, DescriptionsMayContainPatternCharacters)
{
    EXPECT_EQ(tree_of("sys*:[a-z]?:!x\\*:e { }"), "clause sys*:[a-z]?:!x\\*:e\n");
}

TEST(Clauses, StatementsAreSeparatedBySemicolons)
{
    EXPECT_EQ(tree_of("BEGIN { ; ; }"), "clause :::BEGIN\n");
    EXPECT_EQ(tree_of("BEGIN { a; b }"), "clause :::BEGIN\n  a\n  b\n");
    EXPECT_EQ(message_of("BEGIN { a b }"), "syntax error near \"b\"");
}

TEST(Clauses, TheErrorForAMissingSemicolonHasAHint)
{
    Parse parse("BEGIN {\n trace(1)\n trace(2);\n}");
    parse.run();
    EXPECT_EQ(parse.message(), "syntax error near \"trace\"");
    EXPECT_EQ(parse.line(), 3U);
    EXPECT_NE(parse.diagnostics.list()[0].hint.find("; is missing"), std::string::npos);
}

TEST(Clauses, TheErrorForAMissingBracketHasAHint)
{
    for (const char* const text : {"BEGIN { @ = count(; }", "BEGIN { @ = sum(1; }", "BEGIN { trace(a[1); }"}) {
        Parse parse(text);
        parse.run();
        ASSERT_FALSE(parse.diagnostics.list().empty()) << text;
        EXPECT_NE(parse.diagnostics.list()[0].hint.find("is missing before this"), std::string::npos) << text;
    }
}

TEST(Clauses, TheErrorForALoopHasAHint)
{
    Parse parse("BEGIN { for (i = 0; i < 3; i++) { } }");
    EXPECT_EQ(parse.run().message(), "syntax error near \"for\"");
    EXPECT_NE(parse.diagnostics.list()[0].hint.find("no loops"), std::string::npos);
}

TEST(Clauses, DescriptionsWithoutABodyAreValidOnTheCommandLineOnly)
{
    EXPECT_EQ(tag_of("BEGIN"), "D_SYNTAX");
    EXPECT_EQ(message_of("BEGIN"), "syntax error near end of input");
    EXPECT_EQ(spec_tree("BEGIN", SpecKind::Name), "clause :::BEGIN\n");
    EXPECT_EQ(spec_tree("BEGIN,END", SpecKind::Name), "clause :::BEGIN, :::END\n");
    EXPECT_EQ(spec_tag("BEGIN /pid/", SpecKind::Name), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN /pid/"), "D_SYNTAX");
}

TEST(Clauses, ABlankEndsADescription)
{
    EXPECT_EQ(message_of("syscall :: read { }"), "syntax error near \"::\"");
}

// ---- command-line descriptions ----

TEST(CommandLineDescription, TheOptionDeterminesWhichComponentIsTheLastOne)
{
    EXPECT_EQ(spec_tree("p", SpecKind::Provider), "clause p:::\n");
    EXPECT_EQ(spec_tree("m", SpecKind::Module), "clause :m::\n");
    EXPECT_EQ(spec_tree("p:m", SpecKind::Module), "clause p:m::\n");
    EXPECT_EQ(spec_tree("f", SpecKind::Function), "clause ::f:\n");
    EXPECT_EQ(spec_tree("p:m:f", SpecKind::Function), "clause p:m:f:\n");
    EXPECT_EQ(spec_tree("f:n /pid/ { a }", SpecKind::Name), "clause ::f:n\n  predicate pid\n  a\n");
}

TEST(CommandLineDescription, TooManyComponentsAreRefused)
{
    EXPECT_EQ(spec_tag("p:m", SpecKind::Provider), "D_PDESC_INVAL");
    EXPECT_EQ(spec_tag("p:m:f", SpecKind::Module), "D_PDESC_INVAL");
    EXPECT_EQ(spec_tag("p:m:f:n", SpecKind::Function), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("a:b:c:d:e { }"), "D_PDESC_INVAL");
    EXPECT_EQ(message_of("a:b:c:d:e { }"), "invalid probe description \"a:b:c:d:e\": Overspecified probe description");
    EXPECT_EQ(Parse("a:b:c:d:e { }\nBEGIN { }").run().diagnostics.count(), 1U);
}

TEST(CommandLineDescription, NamesOfFunctionsOfProcessesMayContainColons)
{
    const auto function_of = [](std::string_view description) { return tree_of(std::string(description) + " { a }"); };
    EXPECT_EQ(function_of("pid1::myapp::*:entry"), "clause pid1::myapp::*:entry\n  a\n");
    EXPECT_EQ(function_of("pid1:a.out:shop::Item::sell(int, bool) const:entry"),
              "clause pid1:a.out:shop::Item::sell(int, bool) const:entry\n  a\n");
    EXPECT_EQ(function_of("pid1::std::vector<int, std::allocator<int> >::at:entry"),
              "clause pid1::std::vector<int, std::allocator<int> >::at:entry\n  a\n");
    EXPECT_EQ(function_of("pid1:myapp::run::{{closure}}:entry"), "clause pid1::myapp::run::{{closure}}:entry\n  a\n");
    EXPECT_EQ(tag_of("pid1::shop::sell(int:entry { a }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("io::shop::sell:entry { }"), "D_PDESC_INVAL");
}

TEST(CommandLineDescription, APathIsPartOfTheProvider)
{
    EXPECT_EQ(tree_of("pid@/usr/lib/libc.so.6::malloc:entry /pid/ { a }"),
              "clause pid@/usr/lib/libc.so.6::malloc:entry\n  predicate pid\n  a\n");
    EXPECT_EQ(tree_of("pid@/a+b@c/(d):::entry, pid@/e:::entry { }"), "clause pid@/a+b@c/(d):::entry, pid@/e:::entry\n");
    EXPECT_EQ(spec_tree("pid@/usr/bin/shop:a.out:main:entry", SpecKind::Name),
              "clause pid@/usr/bin/shop:a.out:main:entry\n");
    EXPECT_EQ(tree_of("pid@/" + std::string(4000, 'p') + ":::entry { }"),
              "clause pid@/" + std::string(4000, 'p') + ":::entry\n");
    EXPECT_EQ(tree_of("shop@/usr/bin/shop:::sale { }"), "clause shop@/usr/bin/shop:::sale\n");
    EXPECT_EQ(tag_of("pid@/" + std::string(5000, 'p') + ":::entry { }"), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("pid/ { }"), "D_SYNTAX");
}

TEST(CommandLineDescription, AnAtSignPrecedesASourceLineInFunctionsOfProcesses)
{
    EXPECT_EQ(tree_of("pid1:a.out:server.c@120:line { a }"), "clause pid1:a.out:server.c@120:line\n  a\n");
    EXPECT_EQ(tree_of("pid1::server.c@run+*:line, pid1::run:server.c@7 { a }"),
              "clause pid1::server.c@run+*:line, pid1::run:server.c@7\n  a\n");
    EXPECT_EQ(tag_of("fbt::server.c@120:line { a }"), "D_SYNTAX");
}

TEST(CommandLineDescription, ANumberIsAProbeId)
{
    EXPECT_EQ(tree_of("23 { }"), "clause 23\n");
    EXPECT_EQ(spec_tree("23", SpecKind::ProbeId), "clause 23\n");
    EXPECT_EQ(spec_tree("23 { a }", SpecKind::Name), "clause 23\n  a\n");
    EXPECT_EQ(tree_of("4294967295 { }"), "clause 4294967295\n");
    EXPECT_EQ(tag_of("4294967296 { }"), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("99999999999999999999999 { }"), "D_PDESC_INVAL");
    EXPECT_EQ(spec_tag("23", SpecKind::Provider), "D_PDESC_INVAL");
    EXPECT_EQ(spec_tag("23", SpecKind::Module), "D_PDESC_INVAL");
    EXPECT_EQ(spec_tag("23", SpecKind::Function), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("23abc { }"), "D_SYNTAX");
}

TEST(CommandLineDescription, AProbeIdMustBeANumber)
{
    Parse parse("nosuch", SpecKind::ProbeId);
    EXPECT_EQ(parse.run().message(), "invalid probe identifier nosuch: Unknown probe identifier");
    EXPECT_EQ(parse.tag(), "D_PDESC_INVAL");
}

TEST(CommandLineDescription, LengthsOfNamesAreLimited)
{
    EXPECT_EQ(tag_of(std::string(63, 'p') + ":::n { }"), "");
    EXPECT_EQ(tag_of(std::string(64, 'p') + ":::n { }"), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of(std::string(127, 'f') + ":n { }"), "");
    EXPECT_EQ(tag_of(std::string(128, 'f') + ":n { }"), "D_PDESC_INVAL");
}

// ---- predicates ----

TEST(Predicates, ASlashDividesOrEndsThePredicate)
{
    EXPECT_EQ(tree_of("BEGIN /a / 2 > b/ { }"), "clause :::BEGIN\n  predicate (> (/ a 2) b)\n");
    EXPECT_EQ(tree_of("BEGIN /a/\n\n{ x = a / 2; }"), "clause :::BEGIN\n  predicate a\n  (= x (/ a 2))\n");
}

TEST(Predicates, UnbalancedBracketsAreSyntaxErrors)
{
    EXPECT_EQ(message_of("BEGIN /(a/ { }"), "syntax error near \"/\"");
    EXPECT_EQ(message_of("BEGIN /a[1/ { }"), "syntax error near \"/\"");
    EXPECT_EQ(tag_of("BEGIN / / { }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN /a { }"), "D_SYNTAX");
}

TEST(Predicates, APredicateMayContainAComma)
{
    EXPECT_EQ(tree_of("BEGIN /a, b/ { }"), "clause :::BEGIN\n  predicate (, a b)\n");
}

// ---- if/else ----

TEST(IfElse, BranchesAreBlocksOrStatements)
{
    EXPECT_EQ(tree_of("BEGIN { if (a) { b; c } else d; e }"),
              "clause :::BEGIN\n  if a\n    block\n      b\n      c\n  else\n    d\n  e\n");
    EXPECT_EQ(tree_of("BEGIN { if (a) b; c }"), "clause :::BEGIN\n  if a\n    b\n  c\n");
    EXPECT_EQ(tree_of("BEGIN { if (a) b }"), "clause :::BEGIN\n  if a\n    b\n");
    EXPECT_EQ(tree_of("BEGIN { if (a) ; else { } }"), "clause :::BEGIN\n  if a\n    empty\n  else\n    block\n");
}

TEST(IfElse, ElseBelongsToTheInnerIf)
{
    EXPECT_EQ(tree_of("BEGIN { if (a) if (b) c; else d; }"),
              "clause :::BEGIN\n  if a\n    if b\n      c\n    else\n      d\n");
}

TEST(IfElse, AnElseBranchMayBeAnIf)
{
    EXPECT_EQ(tree_of("BEGIN { if (a) { } else if (b) { } else { } }"),
              "clause :::BEGIN\n  if a\n    block\n  else\n    if b\n      block\n    else\n      block\n");
}

TEST(IfElse, IncompleteStatementsAreSyntaxErrors)
{
    EXPECT_EQ(tag_of("BEGIN { if a { } }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { if () { } }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { else { } }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { if (a) b else c; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { { a; } }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { if (a) { b; }"), "D_SYNTAX");
}

// ---- the whole program ----

TEST(ProgramText, AProgramWithoutClausesIsRefused)
{
    EXPECT_EQ(tag_of(""), "D_EMPTY");
    EXPECT_EQ(tag_of("int x;"), "D_EMPTY");
    EXPECT_EQ(tag_of("typedef int t;\n"), "D_EMPTY");
    EXPECT_EQ(line_of("int x;\n\n"), 3U);
    EXPECT_EQ(tag_of("inline int x = 1;"), "");
    EXPECT_EQ(tag_of("provider p { probe go(); };"), "");
    Parse allowed("int x;");
    allowed.options.empty = true;
    EXPECT_EQ(allowed.run().tag(), "");
}

TEST(ProgramText, TheParserReportsItemsInOrder)
{
    Parse parse("int x; inline int y = 1; BEGIN { }");
    std::string seen;
    parse.hooks.item = [&](ast::Item& item) { seen += static_cast<char>('0' + static_cast<int>(item.kind)); };
    parse.run();
    EXPECT_EQ(seen, "120");
}

TEST(ProgramText, ASemicolonAfterAClauseIsASyntaxError)
{
    EXPECT_EQ(tag_of("BEGIN { };"), "D_SYNTAX");
}

} // namespace
