// Tests control lines: line markers, pragmas, and errors.
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

constexpr std::string_view kClause = "BEGIN { }\n";

// Returns the error tag of a program that has this line before a clause.
std::string line_tag(const std::string& line)
{
    return tag_of(line + "\n" + std::string(kClause));
}
std::string line_message(const std::string& line)
{
    return message_of(line + "\n" + std::string(kClause));
}

TEST(ControlLines, ControlLinesOfOtherToolsAreIgnored)
{
    for (const char* line :
         {"#!/usr/sbin/dtrace -s", "#", "  # ", "#ident \"x\"", "#pragma once", "#pragma ident x", "#pragma"})
        EXPECT_EQ(line_tag(line), "") << line;
}

TEST(ControlLines, UnknownDirectivesAreErrors)
{
    EXPECT_EQ(line_tag("#frob"), "D_PRAGCTL_INVAL");
    EXPECT_EQ(line_message("#ifdef X"), "invalid control directive: #ifdef");
    EXPECT_EQ(line_tag("#include <a.h>"), "D_PRAGCTL_INVAL");
}

TEST(ControlLines, ADirectiveMustBeAtTheBeginningOfALine)
{
    EXPECT_EQ(tag_of("BEGIN { } #pragma once\n"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN {\n \t#pragma once\n}"), "");
}

TEST(ControlLines, APragmaMustEndWithANewline)
{
    EXPECT_EQ(message_of("BEGIN { }\n#pragma D option quiet"), "syntax error near end of input");
    EXPECT_EQ(tag_of("BEGIN { }\n#!x"), "");
}

TEST(ControlLines, AnErrorInADirectiveDoesNotAffectTheClauseAroundIt)
{
    Parse parse("BEGIN {\n#frob\n x = 1;\n}");
    parse.run();
    EXPECT_EQ(parse.tags(), std::vector<std::string>{"D_PRAGCTL_INVAL"});
    EXPECT_EQ(parse.tree(), "clause :::BEGIN\n  (= x 1)\n");
}

TEST(ErrorDirective, TheMessageIsTheTextOfTheDirective)
{
    EXPECT_EQ(line_tag("#error stop here"), "D_PRAGERR");
    EXPECT_EQ(line_message("#error  stop \"here\" "), "#error: stop \"here\"");
    EXPECT_EQ(line_message("#pragma D error stop"), "#error: stop");
    EXPECT_EQ(line_tag("#pragma error x"), "D_PRAGERR");
}

TEST(LineMarkers, AMarkerSetsTheNumberOfTheNextLine)
{
    EXPECT_EQ(line_of("#line 100\nBEGIN { x = ; }"), 100U);
    EXPECT_EQ(line_of("# 7\n\nBEGIN { x = ; }"), 8U);
    EXPECT_EQ(line_of("#pragma line 50\nBEGIN { x = ; }"), 50U);
    EXPECT_EQ(line_of("#line 010\nBEGIN { x = ; }"), 10U);
}

TEST(LineMarkers, AMarkerSetsTheNameOfTheFile)
{
    Parse parse("# 1 \"a.h\" 1\nBEGIN { x = ; }\n# 9 \"prog.d\" 2\nEND { x = ; }");
    parse.run();
    ASSERT_EQ(parse.diagnostics.count(), 2U);
    ASSERT_NE(parse.diagnostics.list()[0].at.file, nullptr);
    EXPECT_EQ(*parse.diagnostics.list()[0].at.file, "a.h");
    EXPECT_EQ(parse.diagnostics.list()[1].at.file, nullptr);
    EXPECT_EQ(parse.diagnostics.list()[1].at.line, 9U);
}

TEST(LineMarkers, MalformedMarkersAreErrors)
{
    for (const char* line : {"#line", "#line x", "# 1 x", "# 1 \"a\" x", "#line \"a\"", "#line 99999999999"})
        EXPECT_EQ(line_tag(line), "D_PRAGMA_MALFORM") << line;
}

TEST(LibraryErrors, NameTheFileOfTheLibrary)
{
    Parse parse("BEGIN { x = ; }");
    parse.source.kind = Source::Kind::Library;
    parse.source.name = "/lib/a.d";
    parse.run();
    ASSERT_NE(parse.diagnostics.list()[0].at.file, nullptr);
    EXPECT_EQ(*parse.diagnostics.list()[0].at.file, "/lib/a.d");
}

TEST(PragmaOption, OptionsAreSetAsWritten)
{
    Parse parse("#pragma D option quiet\n#pragma D option strsize=64 // why\n#pragma D option a==b\nBEGIN { }");
    parse.run();
    EXPECT_EQ(parse.tag(), "");
    EXPECT_EQ(parse.set_options, (std::vector<std::string>{"quiet", "strsize=64", "a==b"}));
}

TEST(PragmaOption, AnOptionAppliesToTheTextAfterThePragma)
{
    Parse parse("foo_t x;\n#pragma D option pspec\nfoo_t { }");
    parse.hooks.option = [&](std::string_view, std::optional<std::string_view>) -> Result<void> {
        parse.types.names.clear();
        return {};
    };
    EXPECT_EQ(parse.run().tree(), "foo_t x\nclause :::foo_t\n");
}

TEST(PragmaOption, InvalidOptionsAreErrors)
{
    EXPECT_EQ(line_tag("#pragma D option nosuch"), "D_PRAGMA_OPTSET");
    EXPECT_EQ(line_message("#pragma D option nosuch"), "failed to set option 'nosuch': Invalid option name");
    EXPECT_EQ(line_message("#pragma D option nosuch=3"), "failed to set option 'nosuch' to '3': Invalid option name");
    EXPECT_EQ(line_message("#pragma D option quiet now"), "superfluous arguments specified for #pragma option");
    EXPECT_EQ(line_message("#pragma D option"), "malformed #pragma option <option>=<val>");
    EXPECT_EQ(line_tag("#pragma D option quiet now"), "D_PRAGMA_MALFORM");
    EXPECT_EQ(line_tag("#pragma D option \"quiet\""), "D_PRAGMA_MALFORM");
    EXPECT_EQ(line_tag("#pragma D option strsize = 4"), "D_PRAGMA_MALFORM");
}

TEST(Pragmas, UnknownPragmasAreErrors)
{
    EXPECT_EQ(line_tag("#pragma D frob"), "D_PRAGMA_INVAL");
    EXPECT_EQ(line_message("#pragma D frob"), "invalid D pragma: frob");
    EXPECT_EQ(line_tag("#pragma D"), "D_PRAGMA_MALFORM");
}

TEST(Pragmas, APragmaIsAnItemOfTheProgram)
{
    EXPECT_EQ(
        tree_of(
            "#pragma D attributes Stable/Stable/Common foo\n#pragma D attributes Evolving/Private/ISA provider p args\n"
            "#pragma D binding \"1.2\" foo\n#pragma D depends_on module ext4\nBEGIN { }"),
        "pragma attributes Stable/Stable/Common foo\npragma attributes Evolving/Private/ISA provider p args\n"
        "pragma binding 1.2 foo\npragma depends_on module ext4\nclause :::BEGIN\n");
}

TEST(Pragmas, APragmaInsideAClauseIsAnItemBeforeTheClause)
{
    EXPECT_EQ(tree_of("BEGIN {\n#pragma D depends_on module ext4\n}"),
              "pragma depends_on module ext4\nclause :::BEGIN\n");
}

TEST(Pragmas, MalformedPragmasAreErrors)
{
    for (const char* line :
         {"attributes", "attributes A/B/C", "attributes A/B/C x y", "attributes A/B/C provider p",
          "attributes A/B/C provider p args x", "attributes \"A/B/C\" x", "binding", "binding \"1.0\"", "binding 1.0 x",
          "binding \"1.0\" x y", "depends_on", "depends_on module", "depends_on module a b"})
        EXPECT_EQ(line_tag("#pragma D " + std::string(line)), "D_PRAGMA_MALFORM") << line;
}

TEST(Pragmas, UnknownWordsInPragmasAreErrors)
{
    EXPECT_EQ(line_tag("#pragma D depends_on planet mars"), "D_PRAGMA_INVAL");
    EXPECT_EQ(line_tag("#pragma D attributes A/B/C provider p legs"), "D_PRAGMA_INVAL");
}

} // namespace
