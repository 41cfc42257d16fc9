// Tests macro arguments ($1) and macro variables ($pid), in expressions and in descriptions.
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

// Returns `x = TEXT` in prefix notation, parsed in a script that is run with these operands.
std::string value_of(const std::string& text, std::vector<std::string> operands)
{
    Parse parse("BEGIN { x = " + text + "; }");
    parse.macros.arguments = std::move(operands);
    parse.macros.script = "./prog.d";
    parse.macros.pid = 42;
    parse.options.argref = true;
    parse.run();
    if (!parse.tag().empty())
        return parse.tag();
    const auto& assignment = *parse.ast->items[0].clause->body[0]->expr;
    return syntax::print(*assignment.kids[1]);
}

TEST(MacroArguments, AnIntegerOperandIsANumber)
{
    EXPECT_EQ(value_of("$1", {"10"}), "10");
    EXPECT_EQ(value_of("$1", {"0x1f"}), "31");
    EXPECT_EQ(value_of("$1", {"010"}), "8");
    EXPECT_EQ(value_of("$1", {"+7"}), "7");
    EXPECT_EQ(value_of("$1", {"-7"}), "(- 7)");
    EXPECT_EQ(value_of("$1", {"5ull"}), "5ull");
    EXPECT_EQ(value_of("$2", {"a", "2"}), "2");
    EXPECT_EQ(value_of("$10", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}), "0");
}

TEST(MacroArguments, AMinusSignAndAnIntegerAreOneOperand)
{
    EXPECT_EQ(value_of("2 - $1", {"-7"}), "(- 2 (- 7))");
}

TEST(MacroArguments, IntegersThatAreTooLargeAreErrors)
{
    EXPECT_EQ(value_of("$1", {"99999999999999999999"}), "D_MACRO_OFLOW");
    EXPECT_EQ(value_of("$1", {"18446744073709551615"}), "D_INT_OFLOW");
    EXPECT_EQ(value_of("$1", {"18446744073709551615u"}), "18446744073709551615u");
}

TEST(MacroArguments, AnOperandThatIsANameCanBeAVariableMemberOrType)
{
    EXPECT_EQ(value_of("$1", {"execname"}), "execname");
    EXPECT_EQ(value_of("$1", {"vmlinux`jiffies"}), "vmlinux`jiffies");
    EXPECT_EQ(value_of("$1->a", {"p"}), "(-> p a)");
    EXPECT_EQ(value_of("p->$1", {"string"}), "(-> p string)");
    EXPECT_EQ(value_of("($1)y", {"int"}), "(cast int y)");
}

TEST(MacroArguments, AnOperandOfAnyOtherFormIsAString)
{
    EXPECT_EQ(value_of("$1", {"a b"}), "\"a b\"");
    EXPECT_EQ(value_of("$1", {"1.5"}), "\"1.5\"");
    EXPECT_EQ(value_of("$1", {""}), "\"\"");
    EXPECT_EQ(value_of("$1", {"\"a\\tb\""}), "\"a\\x09b\"");
    EXPECT_EQ(value_of("$0", {}), "\"./prog.d\"");
}

TEST(MacroArguments, TwoDollarSignsMakeTheOperandAString)
{
    EXPECT_EQ(value_of("$$1", {"10"}), "\"10\"");
    EXPECT_EQ(value_of("$$1", {"\"q\""}), "\"\\\"q\\\"\"");
    EXPECT_EQ(value_of("$$0", {}), "\"./prog.d\"");
}

TEST(MacroArguments, MissingArgumentsAreErrors)
{
    EXPECT_EQ(value_of("$2", {"1"}), "D_MACRO_UNDEF");
    EXPECT_EQ(message_of("BEGIN { x = $2; }"), "macro argument $2 is not defined");
    EXPECT_EQ(message_of("BEGIN { x = $$1; }"), "macro argument $$1 is not defined");
    EXPECT_EQ(tag_of("BEGIN { x = $99999999999999999999999999; }"), "D_MACRO_UNDEF");
}

TEST(MacroArguments, WithDefaultargsMissingArgumentsAreZeroOrEmpty)
{
    Parse parse("BEGIN { x = $1; y = $$2; }");
    parse.options.defaultargs = true;
    EXPECT_EQ(parse.run().tree(), "clause :::BEGIN\n  (= x 0)\n  (= y \"\")\n");
}

TEST(MacroVariables, HaveTheValuesOfTheTracerProcess)
{
    Parse parse("BEGIN { x = $pid + $target; y = $$uid; }");
    parse.macros.pid = 42;
    parse.macros.uid = 7;
    parse.macros.target = 8;
    EXPECT_EQ(parse.run().tree(), "clause :::BEGIN\n  (= x (+ $pid $target))\n  (= y \"7\")\n");
    EXPECT_EQ(parse.ast->items[0].clause->body[0]->expr->kids[1]->kids[0]->number, 42U);
}

TEST(MacroVariables, EveryDocumentedNameIsKnown)
{
    for (const char* name : {"egid", "euid", "gid", "uid", "pid", "ppid", "pgid", "sid"})
        EXPECT_EQ(tag_of("BEGIN { x = $" + std::string(name) + "; }"), "") << name;
    for (const char* name : {"projid", "taskid", "zoneid", "pids"})
        EXPECT_EQ(message_of("BEGIN { x = $" + std::string(name) + "; }"),
                  "macro variable $" + std::string(name) + " is not defined");
    EXPECT_EQ(tag_of("BEGIN { x = $$nosuch; }"), "D_MACRO_UNDEF");
    EXPECT_EQ(message_of("BEGIN { x = $target; }"),
              "macro variable $target is not defined: there is no process without -c COMMAND or -p PID");
}

TEST(UnusedMacroArguments, OnlyTheLastArgumentMustBeUsed)
{
    Parse parse("BEGIN { x = $1; }\n");
    parse.macros.arguments = {"a", "43"};
    parse.run();
    EXPECT_EQ(parse.tag(), "D_MACRO_UNUSED");
    EXPECT_EQ(parse.message(), "extraneous argument '43' ($2 is not referenced)");
    EXPECT_EQ(parse.line(), 2U);
    Parse last("BEGIN { x = $$2; }");
    last.macros.arguments = {"a", "43"};
    EXPECT_EQ(last.run().tag(), "");
}

TEST(UnusedMacroArguments, AreAllowedWithArgref)
{
    Parse parse("BEGIN { }");
    parse.macros.arguments = {"a"};
    parse.options.argref = true;
    EXPECT_EQ(parse.run().tag(), "");
}

TEST(UnusedMacroArguments, AUseInAProbeDescriptionCounts)
{
    Parse parse("syscall::$1:entry { }");
    parse.macros.arguments = {"read"};
    EXPECT_EQ(parse.run().tag(), "");
    EXPECT_EQ(parse.tree(), "clause syscall::read:entry\n");
}

TEST(MacrosInDescriptions, AreReplacedByTheirText)
{
    Parse parse("pid$target:$1-lib::$$2, x$1y:::n { }");
    parse.macros.arguments = {"a b", "e"};
    parse.macros.target = 99;
    EXPECT_EQ(parse.run().tree(), "clause pid99:a b-lib::e, xa by:::n\n");
}

TEST(MacrosInDescriptions, TheOriginalTextOfADescriptionIsStored)
{
    Parse parse("pid$target:::e { }");
    parse.macros.target = 99;
    EXPECT_EQ(parse.run().ast->items[0].clause->descriptions[0].text, "pid$target:::e");
}

TEST(MacrosInDescriptions, UndefinedMacrosAreErrors)
{
    EXPECT_EQ(tag_of("syscall::$1:entry { }"), "D_PDESC_INVAL");
    EXPECT_EQ(message_of("$nosuch:::e { }"),
              "invalid probe description \"$nosuch:::e\": Undefined macro variable in probe description");
    EXPECT_EQ(tag_of("pid$targetx:::e { }"), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("pid$target:::e { }"), "D_PDESC_INVAL");
    EXPECT_EQ(tag_of("$:::e { }"), "D_PDESC_INVAL");
}

} // namespace
