// Tests shared lookups: a map lookup that is done once for all clauses of a probe.
#include <gmock/gmock.h>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/ir/ir.hpp"
#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using testing::ElementsAre;

/// Returns how often the program for `target` calls a helper. Ignores calls in its subprograms.
std::size_t calls(const std::string& text, const std::string& target, int64_t helper)
{
    dt::test::FrozenWorld world;
    dt::OptionSet options;
    dt::Compiler compiler(world, options);
    dt::Source source;
    source.text = text;
    if (!compiler.add(source, dt::SpecKind::Script, {}))
        return 999;
    auto object = compiler.finish(dt::embedded_runtime());
    std::size_t found = 0;
    for (const dt::ProgramPlan& plan : object->schema.programs)
        for (const dt::ir::Function& f : compiler.module().functions)
            for (const dt::ir::Block& block : f.blocks)
                for (const dt::ir::Value v : block.instrs)
                    found += f.name == plan.name && plan.plan->targets.front().where == target &&
                             f.instrs[v].op == dt::ir::Op::CallHelper && f.instrs[v].imm == helper;
    return found;
}

TEST(ClausesOfAProbe, ThreadStateIsLookedUpOnceForAllClausesThatRecord)
{
    const std::string text = "self int n; syscall::getppid:entry /self->n/ { trace(self->n); }"
                             "syscall::getppid:entry /self->n == 5/ { trace(self->n); }"
                             "syscall::getppid:entry { self->n = 0; }";
    EXPECT_EQ(calls(text, "sys_enter", dt::ir::bpf::kTaskStorageGet), 1u);
}

TEST(ClausesOfAProbe, ThreadStateIsLookedUpAgainAfterAPossibleChange)
{
    EXPECT_EQ(calls("int a[int]; self int n; syscall::getppid:entry /self->n/ { a[pid]++; }"
                    "syscall::getppid:entry /self->n == 5/ { trace(1); }",
                    "sys_enter", dt::ir::bpf::kTaskStorageGet),
              calls("self int n; syscall::getppid:entry /self->n/ { trace(1); }"
                    "syscall::getppid:entry /self->n == 5/ { trace(1); }",
                    "sys_enter", dt::ir::bpf::kTaskStorageGet) +
                  1);
}

std::string filtered(int clauses)
{
    std::string text;
    for (int i = 0; i < clauses; ++i)
        text += "syscall::getppid:entry /arg0 != " + std::to_string(i) + "/ { @a" + std::to_string(i) + " = count(); }";
    return text;
}

TEST(SharedAggregations, ManyClausesWithPredicatesLookAnAggregationUpOnce)
{
    EXPECT_EQ(calls(filtered(3), "sys_enter", dt::ir::bpf::kMapLookup), 3u);
    EXPECT_EQ(calls(filtered(4), "sys_enter", dt::ir::bpf::kMapLookup), 1u);
    EXPECT_EQ(calls(filtered(10), "sys_enter", dt::ir::bpf::kMapLookup), 1u);
}

TEST(SpeculationIds, TheOnlyIdIsReusedAfterItsSpeculationEnds)
{
    DProgram p("BEGIN { self->id = speculation(); trace(self->id); trace(speculation()); }"
               "BEGIN { discard(self->id); }"
               "BEGIN { trace(speculation()); trace(speculation()); }");
    // The expected values in order: ids of speculations, 1 and then 0 because no more is free; the serial number 1 in
    // the record of discard(); the ids 1 and 0 again.
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1", "0", "1", "1", "0"));
}

TEST(SpeculationIds, AFreeIdIsFoundEvenIfTheFirstIdsAreInUse)
{
    DProgram p("#pragma D option nspec=3\n"
               "BEGIN { trace(speculation()); trace(speculation()); trace(speculation()); trace(speculation()); }"
               "BEGIN { discard(2); }"
               "BEGIN { trace(speculation()); trace(speculation()); }");
    EXPECT_THAT(p.fire("BEGIN").values, ElementsAre("1", "2", "3", "0", "2", "2", "0"));
}

} // namespace
