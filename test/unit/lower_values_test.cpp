// Tests numbers, variables, faults, aggregations and built-ins by running programs.
#include <gmock/gmock.h>

#include "dcompiler/ir/bpf.hpp"
#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using dt::test::run_d;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Values, NarrowTypesAreNotPromotedToInt) // dtrace-language(7), TYPES, has the rules for the results
{
    EXPECT_THAT(
        run_d("char a; unsigned char b; BEGIN { a = -1; b = 255; trace(a + b); trace(sizeof(a + b)); trace(a == b); }")
            .values,
        ElementsAre("254", "1", "0"));
}

TEST(Values, ResultsAreNarrowedWhenRecordedOrCast)
{
    EXPECT_THAT(run_d("int x; BEGIN { x = 1 << 30; trace((long)(x + x)); trace(x << 5); trace(-(char)-128); }").values,
                ElementsAre("2147483648", "0", "-128"));
}

TEST(Values, SignedDivisionTruncates)
{
    EXPECT_THAT(
        run_d("int a; int b; BEGIN { a = -7; b = 2; trace(a / b); trace(a % b); b = -2; trace(7 / b); trace(a / b); }")
            .values,
        ElementsAre("-3", "-1", "-3", "3"));
}

TEST(Values, ShiftCountsAreLimitedToSixBits)
{
    EXPECT_THAT(run_d("long a; int n; BEGIN { a = 1; n = 65; trace(a << n); n = -1; trace(a << n); }").values,
                ElementsAre("2", "-9223372036854775808"));
}

TEST(Values, ACompoundAssignmentComputesInTheCommonType)
{
    EXPECT_THAT(
        run_d("char c; BEGIN { c = 100; c += 100; trace(c); c = -56; c /= 2u; trace(c); c = -128; c >>= 1; trace(c); }")
            .values,
        ElementsAre("-56", "-28", "-64"));
}

TEST(Values, AnIncrementWrapsAtTheWidthOfTheType)
{
    EXPECT_THAT(run_d("unsigned char c; BEGIN { c = 255; trace(c++); trace(c); trace(--c); }").values,
                ElementsAre("255", "0", "255"));
}

TEST(Faults, AFaultEndsItsClauseAndKeepsEarlierSideEffects)
{
    const auto f = run_d("int x; int zero; BEGIN { x = 1; trace(x / zero); x = 2; } BEGIN { trace(x); }");
    EXPECT_THAT(f.faults, ElementsAre(4u));
    EXPECT_THAT(f.values, ElementsAre("1"));
}

TEST(Faults, AnArrayIndexOutsideTheArrayIsAFault)
{
    const auto f = run_d("int a[4]; int i; BEGIN { i = 4; a[i] = 1; } BEGIN { i = -1; trace(a[i]); } BEGIN { i = 3; "
                         "a[i] = 7; trace(a[3]); }");
    EXPECT_THAT(f.faults, ElementsAre(11u, 11u));
    EXPECT_THAT(f.values, ElementsAre("7"));
}

TEST(Conditions, BranchesThatAreNotTakenRecordNothing)
{
    const auto f = run_d("int x; BEGIN { x = 2; if (x == 1) { trace(\"one\"); } else if (x == 2) { trace(\"two\"); } "
                         "else { trace(\"more\"); } }");
    EXPECT_THAT(f.values, ElementsAre("two"));
    EXPECT_EQ(run_d("int x; BEGIN { if (x) trace(1); }").samples, 0u);
}

TEST(AssociativeArray, AssigningZeroDeletesTheElement)
{
    DProgram p("int a[int, string]; BEGIN { a[1, \"k\"] = 5; trace(a[1, \"k\"]); a[1, \"k\"] = 0; trace(a[1, \"k\"]); "
               "trace(a[2, \"k\"]); }");
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("5", "0", "0"));
}

TEST(ThreadLocalVariable, EachThreadHasItsOwnValue)
{
    DProgram p("self int n; BEGIN { trace(++self->n); }");
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1"));
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("2"));
    p.vm().environment.task = p.vm().memory().allocate(64, dt::vm::Kind::Task);
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1"));
}

TEST(ClauseLocalVariable, IsZeroAtTheBeginningOfEveryProbeHit)
{
    DProgram p("this int n; BEGIN { this->n++; } BEGIN { trace(this->n); }");
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1"));
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1"));
}

TEST(Builtins, VariablesAboutTheTaskAreReadFromTaskStruct)
{
    DProgram p("BEGIN { trace(pid); trace(tid); trace(uid); trace(gid); trace(execname); trace(probename); }");
    p.vm().environment.pid = 10;
    p.vm().environment.tid = 11;
    p.vm().environment.uid = 12;
    p.vm().environment.gid = 13;
    p.vm().environment.comm = "someone";
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("10", "11", "12", "13", "someone", "BEGIN"));
}

TEST(Syscalls, OnlyClausesForTheCallThatOccursRun)
{
    DProgram p("syscall::read:entry { trace(arg0); trace(arg2); trace(probefunc); }");
    p.vm().environment.registers[14] = 3;   // register rdi holds arg0
    p.vm().environment.registers[12] = 100; // register rdx holds arg2
    EXPECT_THAT(p.fire("sys_enter", {0, 0}).values, ElementsAre("3", "100", "read"));
    EXPECT_THAT(p.fire("sys_enter", {0, 1}).values, IsEmpty());
}

TEST(Syscalls, ErrnoIsTheNegatedResultOfTheCall)
{
    DProgram p("syscall::read:return { trace(errno); trace(arg0); }");
    p.vm().environment.registers[15] = 0; // register orig_rax holds the number of read(2)
    EXPECT_THAT(p.fire("sys_exit", {0, static_cast<uint64_t>(-2)}).values, ElementsAre("2", "-2"));
    EXPECT_THAT(p.fire("sys_exit", {0, 7}).values, ElementsAre("0", "7"));
}

TEST(Aggregations, KeysAreEvaluatedBeforeTheValue)
{
    const auto f = run_d("self string s; int zero; BEGIN { @x[self->s] = sum(1 / zero); }");
    EXPECT_THAT(f.faults, ElementsAre(1u)); // the NULL key causes the first fault, so the division does not run
}

TEST(Aggregations, AFaultInAValueAddsNoEntry)
{
    DProgram p("int zero; BEGIN { @x[1] = sum(1 / zero); }");
    EXPECT_THAT(p.fire("BEGIN").faults, ElementsAre(4u));
    EXPECT_TRUE(p.vm().map(p.schema().aggregations[0].map)->keys().empty());
}

TEST(Aggregations, TheIncrementArgumentOfLquantizeIsAddedToTheBucket)
{
    DProgram p("BEGIN { @x[1] = lquantize(15, 0, 30, 10); @x[1] = lquantize(15, 0, 30, 10, 5); }");
    p.fire("BEGIN");
    const auto* map = p.vm().map(p.schema().aggregations[0].map);
    ASSERT_EQ(map->keys().size(), 1u);
    EXPECT_EQ(map->value(map->keys()[0])[2 * 8], 6); // bucket 2, which counts values from 10 to 19, has the count 6
}

TEST(TracingActivity, NoClauseRunsBeforeTracingIsActive)
{
    DProgram p("syscall::read:entry { trace(1); }");
    p.vm().section(DT_SECTION_STATE)[offsetof(dt_state, activity)] = DT_INACTIVE;
    EXPECT_EQ(p.fire("sys_enter", {0, 0}).samples, 0u);
}

TEST(LossCounters, ARecordThatDoesNotFitIntoTheBufferIsCounted)
{
    DProgram p("BEGIN { trace(1); }");
    p.vm().map(DT_MAP_BUFFERS)->sample_limit = 0;
    p.fire("BEGIN");
    dt_losses losses;
    std::memcpy(&losses, p.vm().map(DT_MAP_LOSSES)->value(std::vector<uint8_t>(4)).data(), sizeof losses);
    EXPECT_EQ(losses.principal, 1u);
}

TEST(LossCounters, AClauseWithoutAFreeScratchSlotDoesNotRun)
{
    DProgram p("string s; BEGIN { s = strjoin(execname, \"!\"); trace(s); }");
    auto* scratch = p.vm().map(DT_MAP_SCRATCH);
    for (uint8_t level = 0; level < DT_SLOTS; ++level)
        scratch->value(std::vector<uint8_t>{level, 0, 0, 0})[0] = 1;
    EXPECT_EQ(p.fire("BEGIN").samples, 0u);
    scratch->value(std::vector<uint8_t>{2, 0, 0, 0})[0] = 0;
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("test!"));
    // the scratch slot that the clause had claimed is free again
    EXPECT_EQ(scratch->value(std::vector<uint8_t>{2, 0, 0, 0})[0], 0);
}

TEST(ManyClauses, EachRuntimeFunctionIsInlinedAtMostOnce)
{
    std::string program = "self string s; int a[int];";
    for (int i = 0; i < 600; ++i)
        program += "BEGIN { self->s = strjoin(\"x\", lltostr(" + std::to_string(i) + ")); a[" + std::to_string(i) +
                   "] = strlen(self->s); }";
    DProgram many(program + "BEGIN { trace(self->s); trace(a[7]); trace(a[599]); }");
    EXPECT_THAT(many.fire("BEGIN").values, ElementsAre("x599", "2", "4"));
    dt::test::FrozenWorld world;
    dt::OptionSet options;
    dt::Compiler compiler(world, options);
    dt::Source source;
    source.text = program;
    ASSERT_TRUE(compiler.add(source, dt::SpecKind::Script, {}));
    ASSERT_TRUE(compiler.finish(dt::embedded_runtime()).ok());
    std::size_t lookups = 0;
    for (const dt::ir::Function& f : compiler.module().functions)
        for (const dt::ir::Block& block : f.blocks)
            for (const dt::ir::Value v : block.instrs)
                lookups += f.instrs[v].op == dt::ir::Op::CallHelper && f.instrs[v].imm == dt::ir::bpf::kMapLookup;
    EXPECT_LT(lookups, 10U);
}

} // namespace
