// Tests sampling by -x maxcost for entry/return pairs that use thread-local variables: the return is recorded if and
// only if its entry was.
#include <gmock/gmock.h>

#include <stdexcept>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kLimit = "#pragma D option maxcost=50%\n";
const std::string kPair = kLimit + "syscall::read:entry { self->at = 7; } "
                                   "syscall::read:return /self->at/ { trace(self->at); self->at = 0; }";

/// Returns the attach plan of the program on the tracepoint `where`.
const ProgramPlan& plan_of(const DProgram& program, const std::string& where)
{
    for (const ProgramPlan& plan : program.schema().programs)
        if (plan.plan->targets.front().where == where)
            return plan;
    throw std::runtime_error("no program at " + where);
}

/// Returns the sampling state of a probe. `probe` is the index of the probe in its program.
dt_sampling* sampling_of(DProgram& program, const std::string& where, uint32_t probe = 0)
{
    auto* const all = reinterpret_cast<dt_sampling*>(program.vm().section(DT_SECTION_SAMPLING).data());
    return all + plan_of(program, where).first_counted + probe;
}

bool continues(const DProgram& program, const std::string& where, uint32_t probe = 0)
{
    return program.schema().counted[plan_of(program, where).first_counted + probe].continues;
}

TEST(SampledPairs, EntriesStartPairsAndReturnsEndThem)
{
    DProgram program(kPair);
    ASSERT_EQ(program.problem(), "");
    EXPECT_TRUE(plan_of(program, "sys_enter").pairs && !continues(program, "sys_enter"));
    EXPECT_TRUE(continues(program, "sys_exit") && plan_of(program, "sys_exit").may_sample);
    EXPECT_FALSE(plan_of(program, "sys_enter").keeps_state);
}

TEST(SampledPairs, WithoutSamplingAllPairsAreRecorded)
{
    DProgram program(kPair);
    program.fire("sys_enter", {0, 0});
    EXPECT_THAT(program.fire("sys_exit", {0, 0}).values, ElementsAre("7"));
    // This second return is not recorded, because the first return has ended the pair.
    EXPECT_THAT(program.fire("sys_exit", {0, 0}).values, IsEmpty());
}

TEST(SampledPairs, AReturnWhoseEntryWasNotSampledIsSkipped)
{
    DProgram program(kPair);
    program.fire("sys_enter", {0, 0});
    sampling_of(program, "sys_enter")->next_sampled = 100;
    program.fire("sys_enter", {0, 0}); // this entry is not sampled, but it ends the pair that the first entry began
    EXPECT_THAT(program.fire("sys_exit", {0, 0}).values, IsEmpty());
}

TEST(SampledPairs, APairWhoseEntryWasInAnotherWindowIsNotRecorded)
{
    DProgram program(kPair);
    program.fire("sys_enter", {0, 0});
    sampling_of(program, "sys_exit")->window = 1;
    EXPECT_THAT(program.fire("sys_exit", {0, 0}).values, IsEmpty());
}

TEST(SampledPairs, AReturnHasTheWeightOfItsEntry)
{
    DProgram program(kPair);
    sampling_of(program, "sys_enter")->next_sampled = 5;
    for (int i = 0; i < 5; ++i)
        program.fire("sys_enter", {0, 0}); // the fifth of these hits is recorded
    program.fire("sys_exit", {0, 0});
    EXPECT_EQ(sampling_of(program, "sys_exit")->total_weight, 5u);
}

// One BPF program with three probes: one without a pair, an entry, and the return that belongs to the entry.
const std::string kBothInOne = kLimit + "syscall::getppid:entry { trace(1); } syscall::getpgid:entry { self->at = 7; } "
                                        "syscall::getsid:entry /self->at/ { trace(self->at); self->at = 0; }";
constexpr uint64_t kGetppid = 110, kGetpgid = 121, kGetsid = 124;

/// Returns the index of the probe for a system call in the program above.
uint32_t place_of_call(const DProgram& program, const std::string& function)
{
    const auto& probes = plan_of(program, "sys_enter").plan->probes;
    for (uint32_t i = 0; i < probes.size(); ++i)
        if (probes[i].probe->function == function)
            return i;
    throw std::runtime_error("no probe of " + function);
}

TEST(SampledPairs, EntryAndReturnMayShareOneProgram)
{
    DProgram program(kBothInOne);
    ASSERT_EQ(program.problem(), "");
    EXPECT_TRUE(plan_of(program, "sys_enter").pairs && !plan_of(program, "sys_enter").keeps_state);
    EXPECT_TRUE(continues(program, "sys_enter", place_of_call(program, "getsid")));
    EXPECT_FALSE(continues(program, "sys_enter", place_of_call(program, "getpgid")));
    EXPECT_FALSE(continues(program, "sys_enter", place_of_call(program, "getppid")));
}

TEST(SampledPairs, SamplingOtherProbesEndsNoPair)
{
    DProgram program(kBothInOne);
    sampling_of(program, "sys_enter", place_of_call(program, "getppid"))->next_sampled = 100;
    program.fire("sys_enter", {0, kGetpgid});
    EXPECT_THAT(program.fire("sys_enter", {0, kGetppid}).values, IsEmpty());
    EXPECT_THAT(program.fire("sys_enter", {0, kGetsid}).values, ElementsAre("7"));
}

TEST(SampledPairs, AnEntryThatIsNotSampledEndsThePairInTheSameProgram)
{
    DProgram program(kBothInOne);
    program.fire("sys_enter", {0, kGetpgid});
    sampling_of(program, "sys_enter", place_of_call(program, "getpgid"))->next_sampled = 100;
    program.fire("sys_enter", {0, kGetpgid});
    EXPECT_THAT(program.fire("sys_enter", {0, kGetsid}).values, IsEmpty());
}

TEST(SampledPairs, AReturnInTheSameProgramHasTheWeightOfItsEntry)
{
    DProgram program(kBothInOne);
    sampling_of(program, "sys_enter", place_of_call(program, "getpgid"))->next_sampled = 5;
    for (int i = 0; i < 5; ++i)
        program.fire("sys_enter", {0, kGetpgid}); // the fifth of these hits is recorded
    program.fire("sys_enter", {0, kGetsid});
    EXPECT_EQ(sampling_of(program, "sys_enter", place_of_call(program, "getsid"))->total_weight, 5u);
}

// One BPF program with two entry/return pairs. Each pair has its own variable.
const std::string kFamilies = kLimit +
                              "syscall::getpgid:entry { self->a = 7; } syscall::getppid:entry { self->b = 8; } "
                              "syscall::getsid:entry /self->a/ { trace(self->a); self->a = 0; } "
                              "syscall::getpid:entry /self->b/ { trace(self->b); self->b = 0; }";
constexpr uint64_t kGetpid = 39;

TEST(SampledPairs, GroupsOfVariablesThatAreUsedTogetherFormSeparatePairs)
{
    DProgram program(kFamilies);
    ASSERT_EQ(program.problem(), "");
    EXPECT_TRUE(plan_of(program, "sys_enter").pairs && !plan_of(program, "sys_enter").keeps_state);
    sampling_of(program, "sys_enter", place_of_call(program, "getpgid"))->next_sampled = 3;
    // Makes several calls of getpgid, of which only the third is recorded.
    for (const uint64_t call : {kGetpgid, kGetpgid, kGetpgid, kGetppid})
        program.fire("sys_enter", {0, call});
    EXPECT_THAT(program.fire("sys_enter", {0, kGetsid}).values, ElementsAre("7"));
    EXPECT_THAT(program.fire("sys_enter", {0, kGetpid}).values, ElementsAre("8"));
    EXPECT_EQ(sampling_of(program, "sys_enter", place_of_call(program, "getsid"))->total_weight, 3U);
    EXPECT_EQ(sampling_of(program, "sys_enter", place_of_call(program, "getpid"))->total_weight, 1U);
}

TEST(SampledPairs, AnEntryThatIsNotSampledEndsNoPairOfOtherVariables)
{
    DProgram program(kFamilies);
    program.fire("sys_enter", {0, kGetpgid});
    program.fire("sys_enter", {0, kGetppid});
    sampling_of(program, "sys_enter", place_of_call(program, "getppid"))->next_sampled = 100;
    program.fire("sys_enter", {0, kGetppid});
    EXPECT_THAT(program.fire("sys_enter", {0, kGetsid}).values, ElementsAre("7"));
    EXPECT_THAT(program.fire("sys_enter", {0, kGetpid}).values, IsEmpty());
}

TEST(SampledPairs, TheFractionOfAWeightIsAddedToTheNextHit)
{
    DProgram program(kLimit + "syscall::read:entry { trace(1); }");
    // The program is attached for two thirds of the time, so each recorded hit has the weight 3/2.
    sampling_of(program, "sys_enter")->scale = DT_SAMPLING_SCALE_ONE * 3 / 2;
    for (int i = 0; i < 4; ++i)
        program.fire("sys_enter", {0, 0});
    EXPECT_EQ(sampling_of(program, "sys_enter")->total_weight, 6u);
}

TEST(SampledPairs, VariablesOfOtherKindsDoNotFormAPair)
{
    for (const std::string script :
         // not sampled as a pair, because the variable is global and not thread-local
         {"syscall::read:entry { at = 7; } syscall::read:return /at/ { trace(at); }",
          // not sampled as a pair, because the variable is an array and not a thread-local scalar
          "syscall::read:entry { self->at[1] = 7; } syscall::read:return /self->at[1]/ { trace(1); }",
          // not sampled as a pair, because the return probe has no predicate
          "syscall::read:entry { self->at = 7; } syscall::read:return { trace(self->at); }"}) {
        DProgram program(kLimit + script);
        ASSERT_EQ(program.problem(), "") << script;
        for (const ProgramPlan& plan : program.schema().programs)
            EXPECT_FALSE(plan.pairs) << script;
        EXPECT_TRUE(plan_of(program, "sys_enter").keeps_state) << script;
    }
}

} // namespace
} // namespace dt
