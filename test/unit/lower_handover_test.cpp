// Tests handover, the replacement of a trace by a new one (DT_HANDOVER). Each trace has a number (epoch). On each CPU,
// only the trace with the active epoch records.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

class HandoverTest : public testing::Test {
protected:
    static OptionSet replaceable()
    {
        OptionSet options;
        options.allow_successor();
        return options;
    }

    /// Fires the program of a trace that has epoch 2 and the state `activity`, while epoch `whose` is active. Returns
    /// the number of samples that it records.
    std::size_t recorded(uint32_t activity, uint64_t whose)
    {
        const uint64_t own = 2;
        const uint32_t cpu = 0;
        uint8_t* const state = program_.vm().section(DT_SECTION_STATE).data();
        std::memcpy(state + offsetof(dt_state, activity), &activity, sizeof activity);
        std::memcpy(state + offsetof(dt_state, epoch), &own, sizeof own);
        const auto place =
            program_.vm().map(DT_MAP_ACTIVE_EPOCH)->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu});
        std::memcpy(place.data(), &whose, sizeof whose);
        const test::Firing firing = program_.fire("sys_enter", {0, 0});
        EXPECT_EQ(firing.problem, "");
        return firing.samples;
    }

    DProgram program_{"syscall::read:entry { trace(1); }", 2, replaceable()};
};

TEST_F(HandoverTest, TheProgramOfTheCurrentTraceRecords)
{
    EXPECT_EQ(recorded(DT_HANDOVER, 2), 1u);
}

TEST_F(HandoverTest, TheProgramOfAnotherTraceDoesNotRecord)
{
    EXPECT_EQ(recorded(DT_HANDOVER, 1), 0u);
}

TEST_F(HandoverTest, AnActiveProgramRecordsEvenIfAnotherTraceIsCurrent)
{
    EXPECT_EQ(recorded(DT_ACTIVE, 1), 1u);
}

TEST_F(HandoverTest, AnInactiveProgramNeverRecords)
{
    EXPECT_EQ(recorded(DT_INACTIVE, 2), 0u);
    EXPECT_EQ(recorded(DT_DRAINING, 2), 0u);
}

TEST(HandoverWithoutSuccessorTest, AProgramWithoutSuccessorHasNoHandoverMap)
{
    DProgram program("syscall::read:entry { trace(1); }");
    EXPECT_EQ(program.vm().map(DT_MAP_ACTIVE_EPOCH), nullptr);
}

} // namespace
} // namespace dt
