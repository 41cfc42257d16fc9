// Tests the wakeup of an idle consumer (struct dt_state, resting): the sender of a sample wakes it once, afterwards.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

class BellTest : public testing::Test {
protected:
    static void set(DProgram& program, uint64_t resting) { std::memcpy(word(program), &resting, sizeof resting); }
    static uint64_t get(DProgram& program)
    {
        uint64_t resting = 0;
        std::memcpy(&resting, word(program), sizeof resting);
        return resting;
    }
    static std::size_t rung(DProgram& program) { return program.vm().map(DT_MAP_BELL)->samples.size(); }

private:
    static uint8_t* word(DProgram& program)
    {
        return program.vm().section(DT_SECTION_STATE).data() + offsetof(dt_state, resting);
    }
};

TEST_F(BellTest, NoWakeupIsSentToAnAwakeConsumer)
{
    DProgram program("syscall::read:entry { trace(1); }");
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_AWAKE});
}

TEST_F(BellTest, TheFirstSampleWakesTheConsumer)
{
    DProgram program("syscall::read:entry { trace(1); }");
    set(program, DT_RESTING);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 1u);
    EXPECT_EQ(get(program), uint64_t{DT_AWAKE});
}

TEST_F(BellTest, ALostSampleWakesTheConsumer)
{
    DProgram program("syscall::read:entry { trace(1); }");
    program.vm().map(DT_MAP_BUFFERS)->sample_limit = 0;
    set(program, DT_RESTING);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(BellTest, FilteredHitsSendNoWakeup)
{
    DProgram program("syscall::read:entry /arg0 == 3/ { trace(1); }");
    set(program, DT_RESTING);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_RESTING});
}

TEST_F(BellTest, AWakeupInProgressSuppressesOthers)
{
    DProgram program("syscall::read:entry { trace(1); }");
    set(program, DT_RINGING);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_RINGING});
}

TEST_F(BellTest, AFailedWakeupIsRetriedByTheNextSample)
{
    DProgram program("syscall::read:entry { trace(1); }");
    program.vm().map(DT_MAP_BELL)->sample_limit = 0;
    set(program, DT_RESTING);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(get(program), uint64_t{DT_RESTING});
}

TEST_F(BellTest, ExitWakesTheConsumer)
{
    DProgram program("syscall::read:entry { exit(0); }");
    set(program, DT_RESTING);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(BellTest, AFaultWakesTheConsumer)
{
    DProgram program("syscall::read:entry { n = *(int *)arg0; }");
    set(program, DT_RESTING);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).faults.size(), 1u);
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(BellTest, SpeculativeSamplesWakeAtTheCommitOnly)
{
    DProgram program("syscall::read:entry { self->s = speculation(); speculate(self->s); trace(1); }"
                     "syscall::write:entry { discard(self->s); }"
                     "syscall::close:entry { commit(self->s); }");
    constexpr uint64_t kRead = 0, kWrite = 1, kClose = 3;
    set(program, DT_RESTING);
    EXPECT_EQ(program.fire("sys_enter", {0, kRead}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, kWrite}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, kRead}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(program.fire("sys_enter", {0, kClose}).samples, 1u);
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(BellTest, ProgramsWithoutRecordsHaveNoWakeup)
{
    DProgram program("syscall::read:entry { n++; } END { trace(n); }");
    EXPECT_EQ(program.vm().map(DT_MAP_BELL), nullptr);
}

} // namespace
} // namespace dt
