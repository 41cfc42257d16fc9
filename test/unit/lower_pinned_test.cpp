// Tests programs of a pinned trace (-x pin), which may outlive its tracer. The programs count their records and stop
// when the lease (-x pintimeout) expires.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

constexpr const char* kLeaseClock = "1000000000:one";

class PinnedTest : public testing::Test {
protected:
    static constexpr const char* kText = "#pragma D option pin=mine\nsyscall::read:entry { trace(1); }";

    /// Runs the trace's timer, which checks whether the lease has expired. Returns the state (activity) of the trace.
    static uint32_t activity_with(uint64_t lease)
    {
        DProgram program(kText);
        uint8_t* const state = program.vm().section(DT_SECTION_STATE).data();
        std::memcpy(state + offsetof(dt_state, lease), &lease, sizeof lease);
        EXPECT_EQ(program.fire(kLeaseClock).problem, "");
        uint32_t activity = 0;
        std::memcpy(&activity, state + offsetof(dt_state, activity), sizeof activity);
        return activity;
    }
    static uint64_t sent(DProgram& program)
    {
        dt_sent sent{};
        std::memcpy(&sent, program.vm().section(DT_SECTION_SENT).data(), sizeof sent);
        return sent.sent;
    }
};

TEST_F(PinnedTest, ATraceWithoutAPinHasNoLease)
{
    DProgram program("syscall::read:entry { trace(1); }");
    EXPECT_EQ(program.fire(kLeaseClock).problem, std::string("nothing is attached to ") + kLeaseClock);
}

TEST_F(PinnedTest, TheTraceStopsWhenItsLeaseExpires)
{
    EXPECT_EQ(activity_with(1), uint32_t{DT_DRAINING});
}

TEST_F(PinnedTest, TheTraceRunsBeforeTheLeaseExpires)
{
    EXPECT_EQ(activity_with(UINT64_MAX), uint32_t{DT_ACTIVE});
}

TEST_F(PinnedTest, TheTraceRunsIfTheLeaseIsUnlimited)
{
    EXPECT_EQ(activity_with(0), uint32_t{DT_ACTIVE});
}

TEST_F(PinnedTest, BytesWrittenToTheBufferAreCounted)
{
    DProgram program(kText);
    program.fire("sys_enter", {0, 0});
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(sent(program), 2u);
    program.vm().map(DT_MAP_BUFFERS)->sample_limit = 0;
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(sent(program), 2u);
}

} // namespace
} // namespace dt
