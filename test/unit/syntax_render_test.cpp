// Tests the text of error messages, with the source line and the caret.
#include "syntax_support.hpp"

#include "dcompiler/interface/render.hpp"

namespace {

using namespace dt;
using namespace dt::test;

std::string first(Parse& parse, RenderOptions options = {})
{
    return render(parse.run().diagnostics.list().at(0), options);
}

RenderOptions brief()
{
    return {.brief = true};
}

TEST(ErrorMessage, NamesTheScriptAndShowsTheSourceLine)
{
    Parse parse("BEGIN {\n\tx = ;\n}\n");
    EXPECT_EQ(first(parse), "dtrace: failed to compile script prog.d: line 2: syntax error near \";\"\n"
                            "prog.d:2:6: note: here\n"
                            "  2 | \tx = ;\n"
                            "    | \t    ^\n");
}

TEST(ErrorMessage, QuotesAProgramOfOneLineFromTheCommandLine)
{
    Parse parse("BEGIN{trace(}", SpecKind::Name);
    EXPECT_EQ(first(parse), "dtrace: invalid probe specifier BEGIN{trace(}: syntax error near \"}\"\n"
                            "<command line>:1:13: note: here\n"
                            "  1 | BEGIN{trace(}\n"
                            "    |             ^\n");
}

TEST(ErrorMessage, TheBriefFormIsTheLineOfClassicDTrace)
{
    Parse parse("BEGIN { x = ; }");
    EXPECT_EQ(first(parse, brief()), "dtrace: failed to compile script prog.d: line 1: syntax error near \";\"\n");
}

TEST(ErrorMessage, TagsAreShownWithErrtags)
{
    Parse parse("BEGIN { x = ; }");
    EXPECT_EQ(first(parse, {.errtags = true, .brief = true}),
              "dtrace: failed to compile script prog.d: [D_SYNTAX] line 1: syntax error near \";\"\n");
}

TEST(ErrorMessage, TagsAreShownOnlyForErrorsAfterThePragmaErrtags)
{
    Diagnostics diagnostics;
    diagnostics.error("D_SYNTAX", {.line = 1}, "before");
    diagnostics.tag_from_here();
    diagnostics.error("D_SYNTAX", {.line = 3}, "after");
    const std::string text = render_all(diagnostics, {.errtags = true});
    EXPECT_EQ(text.find("[D_SYNTAX]"), text.find("[D_SYNTAX] after"));
    EXPECT_NE(text.find("after"), std::string::npos);
}

TEST(ErrorMessage, AnErrorWithoutATagIsPrintedWithoutBrackets)
{
    const Diagnostic diagnostic{.message = "Memory allocation failure"};
    EXPECT_EQ(render(diagnostic, {.errtags = true}), "dtrace: Memory allocation failure\n");
}

TEST(ErrorMessage, ErrorsOfCommandLineOptionsNameActionListOrPredicate)
{
    Source source{.kind = Source::Kind::CommandLine, .name = "BEGIN{x}", .text = "BEGIN{x}"};
    Diagnostic diagnostic{.tag = "D_IDENT_UNDEF", .message = "failed to resolve x: Unknown variable name"};
    diagnostic.at.source = &source;
    diagnostic.where = Where::ActionList;
    EXPECT_EQ(render(diagnostic, brief()),
              "dtrace: invalid probe specifier BEGIN{x}: in action list: failed to resolve x: Unknown variable name\n");
    diagnostic.where = Where::Predicate;
    EXPECT_EQ(render(diagnostic, {.errtags = true, .brief = true}),
              "dtrace: invalid probe specifier BEGIN{x}: [D_IDENT_UNDEF] in predicate: failed to resolve x: Unknown "
              "variable name\n");
}

TEST(ErrorMessage, NamesTheFileOfALineMarker)
{
    Parse parse("# 5 \"a.h\"\nBEGIN {\n x = ; }\n");
    EXPECT_EQ(first(parse), "dtrace: failed to compile script prog.d: \"a.h\", line 6: syntax error near \";\"\n"
                            "a.h:6:6: note: here\n"
                            "  6 |  x = ; }\n"
                            "    |      ^\n");
}

TEST(ErrorMessage, ErrorsInALibraryNameTheProgram)
{
    Parse parse("BEGIN { x = ; }");
    parse.source.kind = Source::Kind::Library;
    parse.source.name = "/lib/a.d";
    const Source program{.kind = Source::Kind::CommandLine, .name = "END", .text = "END"};
    EXPECT_EQ(first(parse, {.brief = true, .program = &program}),
              "dtrace: invalid probe specifier END: \"/lib/a.d\", line 1: syntax error near \";\"\n");
}

TEST(ErrorMessage, AHintFollowsTheLinesOfTheMessage)
{
    Source source{
        .kind = Source::Kind::Script, .name = "reads.d", .text = "a\nb\n  @[copyinstr(execname)] = count();\n"};
    Diagnostic diagnostic{
        .tag = "D_PROTO_ARG",
        .message =
            "copyinstr( ) argument #1 is incompatible with prototype:\n\tprototype: uintptr_t\n\t argument: string",
        .hint = "execname is already a string: use it directly"};
    diagnostic.at = {.source = &source, .offset = 18, .length = 8, .line = 3, .column = 15};
    EXPECT_EQ(render(diagnostic, {}),
              "dtrace: failed to compile script reads.d: line 3: copyinstr( ) argument #1 is incompatible with "
              "prototype:\n"
              "\tprototype: uintptr_t\n"
              "\t argument: string\n"
              "reads.d:3:15: note: here\n"
              "  3 |   @[copyinstr(execname)] = count();\n"
              "    |               ^~~~~~~~\n"
              "    = execname is already a string: use it directly\n");
}

TEST(ErrorMessage, TheCaretLineMayDifferFromTheLineOfClassicDTrace)
{
    Source source{.kind = Source::Kind::Script, .name = "p.d", .text = "a\nb\nc\n"};
    Diagnostic diagnostic{.message = "m"};
    diagnostic.at = {.source = &source, .offset = 2, .length = 1, .line = 3, .column = 1};
    EXPECT_EQ(render(diagnostic, {}),
              "dtrace: failed to compile script p.d: line 3: m\np.d:2:1: note: here\n  2 | b\n    | ^\n");
}

TEST(ErrorMessage, AnErrorAtTheEndOfInputIsPrintedWithoutACaret)
{
    Parse parse("int x;\n");
    EXPECT_EQ(first(parse), "dtrace: failed to compile script prog.d: line 2: empty D program translation unit\n"
                            "    = write a clause: BEGIN { }\n");
}

TEST(ErrorMessage, LongSourceLinesAreTruncated)
{
    Parse parse("BEGIN { " + std::string(1000, ' ') + "x = ; " + std::string(1000, ' ') + "}");
    const std::string text = first(parse);
    std::size_t longest = 0;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        longest = std::max(longest, end - begin);
    EXPECT_LT(longest, 200U);
    EXPECT_NE(text.find("..."), std::string::npos);
    EXPECT_NE(text.find("^"), std::string::npos);
}

TEST(ErrorMessage, ControlCharactersOfTheSourceAreNotPrinted)
{
    Parse parse("BEGIN { \x1b[31m x = ; }");
    EXPECT_EQ(first(parse).substr(first(parse).find('\n')).find('\x1b'), std::string::npos);
}

TEST(ErrorMessages, EachErrorIsShownButTheBriefFormShowsOnlyTheFirst)
{
    Parse parse("BEGIN { x = ; }\nEND { y = ; }\n");
    parse.run();
    const std::string text = render_all(parse.diagnostics, {});
    EXPECT_EQ(text.rfind("dtrace: failed to compile script prog.d: line 1: ", 0), 0U);
    EXPECT_NE(text.find("\ndtrace: failed to compile script prog.d: line 2: "), std::string::npos);
    EXPECT_EQ(render_all(parse.diagnostics, brief()),
              "dtrace: failed to compile script prog.d: line 1: syntax error near \";\"\n");
}

TEST(ErrorMessages, TheNumberOfErrorsThatAreNotShownIsStated)
{
    Source source{.kind = Source::Kind::Script, .name = "p.d", .text = std::string(30, 'a')};
    Diagnostics diagnostics;
    for (uint32_t i = 0; i < 22; ++i)
        diagnostics.error("D_X", {.source = &source, .offset = i, .line = 1}, "m");
    EXPECT_NE(render_all(diagnostics, {}).find("dtrace: 2 further errors\n"), std::string::npos);
    EXPECT_EQ(render_all(Diagnostics(), {}), "");
}

TEST(ErrorMessage, DoesNotQuoteAProgramOfSeveralLinesFromTheCommandLine)
{
    Parse parse("BEGIN\n{\n\ttrace(;\n}\n", SpecKind::Name);
    EXPECT_EQ(first(parse, brief()), "dtrace: invalid probe specifier <command line>:3:8: syntax error near \";\"\n");
}

TEST(ErrorMessage, ALineMarkerInACommandLineProgramNamesTheFile)
{
    Parse parse("# 5 \"a.h\"\nBEGIN { x = ; }\n", SpecKind::Name);
    EXPECT_EQ(first(parse, brief()),
              "dtrace: invalid probe specifier <command line>: \"a.h\", line 5: syntax error near \";\"\n");
}

TEST(ErrorMessage, ControlCharactersDoNotReachATerminal)
{
    EXPECT_EQ(printable("a\033[31m\r\a\x7f\xc2\x9b b\tc\n\xc3\xa9"), "a?[31m????"
                                                                     " b\tc\n\xc3\xa9");
}

} // namespace
