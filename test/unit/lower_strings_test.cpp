// Tests strings in D: NULL, copies, and results of subroutines.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::run_d;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t kAbsent = 1; ///< fault code of an invalid address

TEST(Strings, AMissingStringIsNullButAnEmptyStringIsNot)
{
    EXPECT_THAT(
        run_d("string g; self string s; string a[int]; this string t;"
              "BEGIN { trace(g == NULL); trace(self->s == NULL); trace(a[1] == NULL); trace(this->t != NULL); }")
            .values,
        ElementsAre("0", "1", "1", "0"));
}

TEST(Strings, RecordingANullStringIsAFault)
{
    const auto f = run_d("self string s; BEGIN { trace(self->s); }");
    EXPECT_THAT(f.faults, ElementsAre(kAbsent));
    EXPECT_THAT(f.values, IsEmpty());
}

/// Runs `program` at a read(2) whose first argument points to user memory with these bytes. The memory behind them is
/// unmapped.
dt::test::Firing fire_on_process_text(const std::string& program, std::string bytes, uint64_t skip = 0)
{
    dt::test::DProgram p(program);
    std::vector<uint8_t> memory(bytes.begin(), bytes.end());
    // register rdi holds arg0
    p.vm().environment.registers[14] = p.vm().memory().lend(memory, dt::vm::Kind::User) + skip;
    return p.fire("sys_enter", {0, 0});
}

TEST(Strings, AUserStringIsReadOnlyUpToTheLengthOfTheComparedLiteral)
{
    const auto f = fire_on_process_text("syscall::read:entry { trace(copyinstr(arg0) == \"abc\"); trace(\"ab\" == "
                                        "copyinstr(arg0)); trace(copyinstr(arg0) == \"abcdefghi\");"
                                        "trace(copyinstr(arg0) != \"abd\"); trace(substr(copyinstr(arg0), 0, 2) == "
                                        "\"ab\"); trace(copyinstr(arg0) == \"\"); }",
                                        std::string("abc\0", 4));
    EXPECT_THAT(f.values, ElementsAre("1", "0", "0", "1", "1", "0"));
    EXPECT_THAT(f.faults, IsEmpty());
}

TEST(Strings, UserStringsAreTruncatedToStrsizeBeforeComparing)
{
    const auto f =
        fire_on_process_text("#pragma D option strsize=8\nsyscall::read:entry { trace(copyinstr(arg0) == \"abcdefg\"); "
                             "trace(copyinstr(arg0) == \"abcdef\");"
                             "trace(copyinstr(arg0) == \"abcdefgh\"); trace(copyinstr(arg0) == \"abcdefghi\"); }",
                             std::string("abcdefghi\0", 10));
    EXPECT_THAT(f.values, ElementsAre("1", "0", "0", "0"));
}

TEST(Strings, ComparingAnUnreadableUserStringIsAFault)
{
    const auto f = fire_on_process_text("syscall::read:entry { trace(copyinstr(arg0) == \"abc\"); }", "abc", 1);
    EXPECT_THAT(f.faults, ElementsAre(kAbsent));
    EXPECT_THAT(f.values, IsEmpty());
}

// dtrace-language(7), OPERATORS, defines how strings and NULL are compared
TEST(Strings, NullIsLessThanEveryOtherString)
{
    EXPECT_THAT(run_d("self string s; self string t;"
                      "BEGIN { trace(self->s == \"a\"); trace(self->s < \"a\"); trace(self->s == self->t); trace(\"\" "
                      "> self->t); }")
                    .values,
                ElementsAre("0", "1", "1", "1"));
}

std::size_t size_of(const std::string& program)
{
    dt::test::FrozenWorld world;
    dt::OptionSet options;
    dt::Compiler compiler(world, options);
    dt::Source source;
    source.text = program;
    EXPECT_TRUE(compiler.add(source, dt::SpecKind::Script, {}) && compiler.finish(dt::embedded_runtime()).ok());
    std::size_t instructions = 0;
    for (const dt::ir::Function& f : compiler.module().functions)
        for (const dt::ir::Block& block : f.blocks)
            instructions += block.instrs.size();
    return instructions;
}

TEST(Strings, LiteralsAreComparedWhenTheProgramIsCompiled) // as in scripts that test $$1 == ""
{
    EXPECT_THAT(run_d("BEGIN { trace(\"a\" == \"a\"); trace(\"a\" != \"a\"); trace(\"a\" < \"b\"); trace(\"b\" <= "
                      "\"a\"); trace(\"\\xff\" > \"a\"); }")
                    .values,
                ElementsAre("1", "0", "1", "0", "1"));
    EXPECT_EQ(size_of("BEGIN /\"\" == \"\" || execname == \"x\"/ { trace(1); }"), size_of("BEGIN { trace(1); }"));
}

TEST(Strings, VariablesOfEveryScopeCanBeNull)
{
    EXPECT_THAT(run_d("string g; string a[int]; self string s; this string t;"
                      "BEGIN { g = \"x\"; a[1] = \"x\"; self->s = \"x\"; this->t = \"x\"; }"
                      "BEGIN { g = strstr(\"ab\", \"c\"); a[1] = g; self->s = a[1]; this->t = self->s; }"
                      "BEGIN { trace(g == NULL); trace(a[1] == NULL); trace(self->s == NULL); trace(this->t == NULL); }"
                      "BEGIN { g = \"back\"; trace(g); }")
                    .values,
                ElementsAre("1", "1", "1", "1", "back"));
}

TEST(Strings, AConditionalExpressionMayBeNull)
{
    const auto f = run_d("self string s; int yes; BEGIN { yes = 1; trace((yes ? self->s : \"a\") == NULL); trace(yes ? "
                         "\"b\" : self->s); }");
    EXPECT_THAT(f.values, ElementsAre("1", "b"));
    EXPECT_THAT(f.faults, IsEmpty());
}

TEST(Strings, AnOperandIsUnaffectedByAnAssignmentInALaterOperand)
{
    EXPECT_THAT(run_d("string g; BEGIN { g = \"a\"; trace(strjoin(g, g = \"b\")); trace(g); }").values,
                ElementsAre("ab", "b"));
}

TEST(Strings, SevenStringsInOneExpressionFitIntoTheStack)
{
    EXPECT_THAT(run_d("#pragma D option strsize=48\n"
                      "self string s; self string t; BEGIN { self->s = \"x\"; trace(strjoin(strjoin(self->t == NULL ? "
                      "\"1\" : self->t, self->s == NULL ? \"2\" : "
                      "self->s),"
                      "strjoin(strjoin(self->t == NULL ? \"3\" : self->t, self->s), strjoin(self->t == NULL ? \"4\" : "
                      "self->t, self->t == NULL ? \"5\" : self->t)))); }")
                    .values,
                ElementsAre("1x3x45"));
}

TEST(Strings, LongerStringsAreTruncatedToStrsize)
{
    EXPECT_THAT(run_d("#pragma D option strsize=8\nBEGIN { trace(strjoin(\"abcdef\", \"ghijkl\")); "
                      "trace(strlen(strjoin(\"abcdef\", \"ghijkl\"))); }")
                    .values,
                ElementsAre("abcdefgh", "8"));
}

// dtrace-actions(7), substr, has a table of the expected results
TEST(Strings, SubstrReturnsTheResultsListedInTheManual)
{
    EXPECT_THAT(run_d("string s; BEGIN { s = \"abcdef\"; trace(substr(s, 2)); trace(substr(s, 2, 2)); trace(substr(s, "
                      "-2)); trace(substr(s, -10));"
                      "trace(substr(s, -10, 6)); trace(substr(s, 1, -2)); trace(substr(s, 6)); trace(substr(s, 0, "
                      "-6)); trace(substr(s, 9)); }")
                    .values,
                ElementsAre("cdef", "cd", "ef", "abcdef", "ab", "bcd", "", "", ""));
}

TEST(Strings, TheStartForSubstrMayBeFarBeforeTheString)
{
    EXPECT_THAT(run_d("BEGIN { trace(substr(\" 42\", -4, -1)); trace(substr(\"a\", 2147483648u)); }").values,
                ElementsAre("", "a"));
}

} // namespace
