// Tests rules for actions, formats and aggregations that their prototypes do not express (dtrace-errors(7), ACTIONS and
// AGGREGATIONS).
#include "dcompiler/sema/program/builtins.hpp"
#include "test/unit/sema_helpers.hpp"

namespace dt::test {
namespace {

TEST(Builtins, AreFoundByTheirName)
{
    EXPECT_EQ(find_variable("execname")->type, "string");
    EXPECT_EQ(find_subroutine("strlen")->prototype, "size_t (const char *)");
    EXPECT_TRUE(find_action("system")->flags & kDestructive);
    EXPECT_EQ(find_agg_function("llquantize")->kind, AggKind::Llquantize);
    EXPECT_FALSE(find_action("panic")->why_refused.empty());
    EXPECT_EQ(find_variable("zonename"), nullptr);
}

TEST(Actions, PrintfSeparatesFormatAndValues)
{
    EXPECT_EQ(Checked("BEGIN { printf(\"%s %d\", execname, pid); }").text(),
              "printf(\"%s %d\", execname:string(16), pid:pid_t)");
}

TEST(Actions, PrintfReportsWrongArgumentTypesInTheClassicLayout)
{
    const Checked checked("BEGIN { printf(\"%d\", \"s\"); }");
    EXPECT_EQ(checked.message(),
              "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: %d\n"
              "\t prototype: char, short, int, long, or long long\n\t  argument: string");
}

TEST(Actions, PrintfRequiresExactlyTheArgumentsOfItsFormat)
{
    EXPECT_EQ(Checked("BEGIN { printf(\"%d%d\", 1); }").message(),
              "printf( ) prototype mismatch: conversion #2 (%d) is missing a corresponding value argument");
    EXPECT_EQ(Checked("BEGIN { printf(\"hi\", 1); }").message(),
              "printf( ) prototype mismatch: only 1 arguments required by this format string");
    EXPECT_EQ(tag_of("BEGIN { printf(\"%*.*d\", 1, 2, 3); }"), "");
}

TEST(Actions, ConversionsWithTheModifierLRequireLongValues)
{
    EXPECT_EQ(tag_of("BEGIN { printf(\"%lld %lx\", timestamp, arg0); }"), "");
    EXPECT_EQ(tag_of("BEGIN { printf(\"%ld\", pid); }"), "D_PRINTF_ARG_TYPE");
    EXPECT_EQ(tag_of("BEGIN { printf(\"%Y\", walltimestamp); }"), "");
}

TEST(Actions, PrintaChecksThatItsConversionsFitTheKeys)
{
    EXPECT_EQ(tag_of("BEGIN { @a[execname, pid] = count(); printa(\"%s %d %@d\\n\", @a); }"), "");
    EXPECT_EQ(tag_of("BEGIN { @a[pid] = count(); printa(\"%s %@d\\n\", @a); }"), "D_PRINTF_ARG_TYPE");
    EXPECT_EQ(tag_of("BEGIN { @a = count(); printa(\"%d %@d\\n\", @a); }"), "D_PRINTF_ARG_PROTO");
    EXPECT_EQ(Checked("BEGIN { @a = count(); printa(@a); }").text(1), "printa(@a)");
}

TEST(Actions, AnAggregationMustBeAssignedBeforeAnActionUsesIt)
{
    EXPECT_EQ(tag_of("tick-1 { printa(@a); } BEGIN { @a = count(); }"), "D_IDENT_UNDEF");
}

TEST(Actions, RulesForTheOrderOfActionsApplyToEachPathOfAClause)
{
    EXPECT_EQ(tag_of("BEGIN { if (pid) { commit(1); } else { trace(1); } }"), "");
    EXPECT_EQ(tag_of("BEGIN { if (pid) { commit(1); } trace(1); }"), "D_DREC_COMM");
    EXPECT_EQ(tag_of("BEGIN { discard(1); trace(1); discard(1); commit(1); }"), "D_COMM_DREC");
    EXPECT_EQ(tag_of("BEGIN { commit(1); commit(2); }"), "");
}

TEST(Actions, AStatementHasOneRecordForEachActionThatRecords)
{
    const Checked checked("BEGIN { } BEGIN { x = 1; } BEGIN { if (x) trace(1); } BEGIN { speculate(1); } BEGIN { "
                          "system(\"date\"); } BEGIN { commit(1); }");
    ASSERT_EQ(checked.tag(), "");
    EXPECT_TRUE(checked.statement(0).records);
    EXPECT_FALSE(checked.statement(1).records);
    EXPECT_TRUE(checked.statement(2).records && checked.statement(2).conditional_records);
    EXPECT_TRUE(checked.statement(3).records && checked.statement(3).speculates);
    EXPECT_TRUE(checked.statement(4).destructive && checked.statement(4).records);
    EXPECT_FALSE(checked.statement(5).records);
}

TEST(Actions, StackCanBeAssignedButSymIsOnlyAnAggregationKey)
{
    EXPECT_EQ(Checked("BEGIN { x = stack(3); @[stack(), ustack(5), sym(arg0)] = count(); }").text(),
              "(Assign:stack x:stack (stack:stack 3:int))");
    EXPECT_EQ(tag_of("BEGIN { trace(sym(1)); }"), "D_CG_EXPR");
    EXPECT_EQ(tag_of("BEGIN { m[sym(1)] = 1; }"), "D_CG_EXPR");
    EXPECT_EQ(tag_of("BEGIN { x = stack() + 1; }"), "D_OP_INCOMPAT");
}

TEST(Actions, TheErrorForCopyinstrOfAStringSuggestsARemedy)
{
    const Checked checked("BEGIN { trace(copyinstr(execname)); }");
    EXPECT_EQ(checked.message(),
              "copyinstr( ) argument #1 is incompatible with prototype:\n\tprototype: uintptr_t\n\t argument: string");
    EXPECT_EQ(checked.hint(), "execname is already a string: use it directly");
}

TEST(Aggregations, AnAggregationKeyIsAsLongAsTheWidestString)
{
    const Checked checked("BEGIN { @a[\"x\"] = count(); @a[execname] = count(); } END { @a[\"yy\"] = count(); }");
    ASSERT_EQ(checked.tag(), "");
    ASSERT_EQ(checked.program().aggregations.size(), 1u);
    EXPECT_EQ(checked.program().aggregations[0].keys[0].type->size, 16u);
}

TEST(Aggregations, ConstantArgumentsOfQuantizersBecomeParameters)
{
    const Checked checked("BEGIN { @a = lquantize(pid, 0, 100, 10, 3); @b = llquantize(pid, 10, 0, 6, 20); @c = "
                          "lquantize(pid, -5, 5); @h = hquantize(pid, 3); }");
    ASSERT_EQ(checked.tag(), "");
    EXPECT_THAT(checked.program().aggregations[0].parameters, testing::ElementsAre(0, 100, 10));
    EXPECT_EQ(checked.text(0), "@a[] = lquantize(pid:pid_t, 0:int, 100:int, 10:int, 3:int)");
    EXPECT_THAT(checked.program().aggregations[1].parameters, testing::ElementsAre(10, 0, 6, 20));
    EXPECT_THAT(checked.program().aggregations[2].parameters, testing::ElementsAre(-5, 5, 1));
    EXPECT_THAT(checked.program().aggregations[3].parameters, testing::ElementsAre(3));
}

TEST(Aggregations, IdsFollowTheOrderOfTheFirstUse)
{
    const Checked checked("BEGIN { @b = count(); @a[1] = sum(2); @ = max(3); } END { @a[2] = sum(1); }");
    ASSERT_EQ(checked.tag(), "");
    EXPECT_EQ(checked.program().aggregations[1].name, "a");
    EXPECT_EQ(checked.program().aggregations[2].name, "_");
}

TEST(Aggregations, ARedefinitionErrorNamesBothFunctions)
{
    EXPECT_EQ(Checked("BEGIN { @a = count(); @a = sum(1); }").message(),
              "aggregation redefined: @a\n\t current: @a = sum( )\n\tprevious: @a = count( ) : line 1");
}

} // namespace
} // namespace dt::test
