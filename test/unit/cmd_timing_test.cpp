// Tests the measurement of phases for -x timing, with an artificial clock, and the table of phases.
#include <gmock/gmock.h>

#include "cmd/common/report.hpp"

namespace dt {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

struct PhaseTimesTest : testing::Test {
    PhaseTimes::Time now{};
    PhaseTimes steps{now, [this] { return now; }};

    void pass(std::chrono::nanoseconds time) { now += time; }
};

std::vector<std::string> texts(const std::vector<PhaseTimes::Step>& steps)
{
    std::vector<std::string> texts;
    for (const PhaseTimes::Step& step : steps)
        texts.push_back((step.is_part ? "- " : "") + step.name + " " + std::to_string(step.took / 1ms));
    return texts;
}

TEST_F(PhaseTimesTest, AStepTakesTheTimeSinceTheEndOfThePreviousStep)
{
    pass(2ms);
    steps.done("options");
    pass(5ms);
    steps.done("load");
    EXPECT_THAT(texts(steps.take()), ElementsAre("options 2", "load 5"));
    EXPECT_TRUE(steps.empty());
}

TEST_F(PhaseTimesTest, TimesOfRepeatedStepsAddUp)
{
    for (int i = 0; i < 2; ++i) {
        steps.add_part("types", 1ms);
        pass(3ms);
        steps.done("check");
    }
    pass(1ms);
    steps.done("plan");
    EXPECT_THAT(texts(steps.take()), ElementsAre("- types 2", "check 6", "plan 1"));
}

TEST_F(PhaseTimesTest, TheTimeBeforeResumeIsNotPartOfTheNextStep)
{
    pass(100ms);
    steps.resume();
    pass(4ms);
    steps.done("detach");
    EXPECT_THAT(texts(steps.take()), ElementsAre("detach 4"));
}

TEST(PhaseTimesWithoutTimer, StepsMayBeRecordedAlthoughNoTimerExists)
{
    done(nullptr, "load");
    const PartOfPhase part(nullptr, "types");
}

TEST(TimingTable, EachStepHasARowFollowedByTheRowsOfItsParts)
{
    EXPECT_EQ(cmd::timing_table("start", {{"options", 2ms, false}, {"types", 1500us, true}, {"check", 6ms, false}}),
              "\nstart: 8.0 ms\n"
              "  ended at      took  share\n"
              "    2.0 ms     2.0 ms  25.0%  options\n"
              "    8.0 ms     6.0 ms  75.0%  check\n"
              "               1.5 ms  18.8%    of which types\n");
}

TEST(TimingTable, TheTableIsEmptyWithoutSteps)
{
    EXPECT_THAT(cmd::timing_table("end", {}), HasSubstr("end: 0.0 ms\n"));
}

} // namespace
} // namespace dt
