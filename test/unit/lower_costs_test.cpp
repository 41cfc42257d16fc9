// Tests the code that -x cost adds to programs: their counters of firings and times. Outside of sampling windows, the
// programs must behave as without -x cost.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

const std::string kCost = "#pragma D option cost\n";

class CostTest : public testing::Test {
protected:
    static dt_state& state(DProgram& program)
    {
        return *reinterpret_cast<dt_state*>(program.vm().section(DT_SECTION_STATE).data());
    }
    static void close_gates(DProgram& program)
    {
        for (dt_timing_switch& timing_switch : state(program).timing_switches)
            timing_switch.off = DT_ACTIVE;
    }
    /// Returns a probe's counters of firings and times, each summed over all CPUs.
    static dt_cost at(DProgram& program, std::size_t place)
    {
        const Schema& schema = program.schema();
        const auto* const all = reinterpret_cast<const dt_cost*>(program.vm().section(DT_SECTION_COSTS).data());
        dt_cost sum{};
        for (uint32_t set = 0; set < schema.cost_sets; ++set) {
            const dt_cost& each = all[set * (schema.counted.size() + schema.others.size()) + place];
            sum.fired += each.fired;
            sum.sampled += each.sampled;
            sum.timed += each.timed;
        }
        return sum;
    }
    static uint64_t executed(DProgram& program, const std::string& target)
    {
        EXPECT_EQ(program.fire(target, {0, 0, 0, 0}).problem, "");
        // measures the second firing, because the first one also allocates map elements
        program.fire(target, {0, 0, 0, 0});
        return program.vm().executed();
    }
};

constexpr const char* kRead = "syscall::read:entry { @[arg0] = count(); }";

TEST_F(CostTest, HitsInsideASamplingWindowAreTimed)
{
    DProgram program(kCost + kRead);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(program.fire("sys_enter", {0, 0}).problem, "");
    EXPECT_EQ(at(program, 0).fired, 5u);
    EXPECT_EQ(at(program, 0).sampled, 0u);
    EXPECT_GE(at(program, 0).timed, 1u);
}

TEST_F(CostTest, ProgramsRunWithoutTimingOutsideAWindow)
{
    DProgram program(kCost + "syscall::read:entry { trace(7); }");
    close_gates(program);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).values, std::vector<std::string>{"7"});
    EXPECT_EQ(at(program, 0).fired, 0u);
}

TEST_F(CostTest, TimingAddsNoCostOutsideAWindow)
{
    for (const char* const text :
         {kRead, "syscall::read:entry { @ = count(); }", "syscall::read:entry /pid == 1/ { @ = count(); }",
          "syscall::read:entry { trace(arg0); }", "syscall::read:entry { self->at = timestamp; }",
          "syscall::read:entry /execname == \"x\"/ { @ = count(); }", "syscall::read:entry { n++; m = n; }",
          "syscall::read:entry { @a = count(); } syscall::read:entry { @b = sum(arg1); }",
          "syscall:::entry { @[probefunc] = count(); }"}) {
        DProgram plain(text), cost(kCost + text);
        close_gates(cost);
        EXPECT_EQ(executed(cost, "sys_enter"), executed(plain, "sys_enter")) << text;
    }
}

TEST_F(CostTest, AHitInAWindowAlsoCountsForSkippedHitsOutside)
{
    DProgram program(kCost + kRead);
    dt_timing_switch& timing_switch = state(program).timing_switches[*program.schema().counted.at(0).timing_switch];
    program.fire("sys_enter", {0, 0});
    timing_switch = {0, 99, 100, 0};
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(at(program, 0).fired, 101u);
    EXPECT_EQ(at(program, 0).sampled, 100u);
}

TEST_F(CostTest, HookCallsThatAreNoHitsAreCountedSeparately)
{
    DProgram program(kCost + kRead);
    ASSERT_EQ(program.schema().others.size(), 1u);
    program.fire("sys_enter", {0, 0});
    for (int i = 0; i < 3; ++i)
        // the tracepoint runs the program for write(2), too, but no probe of the program fires
        program.fire("sys_enter", {0, 1});
    EXPECT_EQ(at(program, 0).fired, 1u);
    EXPECT_EQ(at(program, 1).fired, 3u);
    state(program).timing_switches[DT_TIMING_SWITCH_OTHER].off = DT_ACTIVE;
    program.fire("sys_enter", {0, 1});
    EXPECT_EQ(at(program, 1).fired, 3u);
}

TEST_F(CostTest, AfterExitNoProbeFiresInsideOrOutsideAWindow)
{
    DProgram program(kCost + "syscall::read:entry { trace(1); exit(0); }");
    close_gates(program);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 0u);
}

TEST_F(CostTest, AWindowHasNoEffectWhileTracingIsOff)
{
    DProgram program(kCost + kRead);
    state(program).activity = DT_DRAINING;
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(at(program, 0).fired, 0u);
}

TEST_F(CostTest, ProgramsOfManyClausesAreTimedOnlyInsideAWindow)
{
    std::string text = kCost;
    for (int i = 0; i < 60; ++i)
        text += "syscall::read:entry { @[" + std::to_string(i) + ", strlen(execname)] = sum(arg0 % 7); }\n";
    DProgram program(text);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(at(program, 0).fired, 1u);
    close_gates(program);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).problem, "");
    EXPECT_EQ(at(program, 0).fired, 1u);
}

TEST_F(CostTest, WithACostLimitEachHitIsCounted)
{
    DProgram program("#pragma D option maxcost=50%\nsyscall::read:entry { @ = count(); }");
    EXPECT_FALSE(program.schema().counted.at(0).timing_switch.has_value());
    EXPECT_TRUE(program.schema().others.empty());
    close_gates(program);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(at(program, 0).fired, 1u);
}

} // namespace
} // namespace dt
