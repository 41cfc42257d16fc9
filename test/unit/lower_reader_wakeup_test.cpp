// Tests how a program wakes an idle consumer (struct dt_state): once, after it has sent a sample.
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

class ReaderWakeupTest : public testing::Test {
protected:
    static void set(DProgram& program, uint64_t reader_state)
    {
        std::memcpy(word(program), &reader_state, sizeof reader_state);
    }
    static uint64_t get(DProgram& program)
    {
        uint64_t reader_state = 0;
        std::memcpy(&reader_state, word(program), sizeof reader_state);
        return reader_state;
    }
    static std::size_t rung(DProgram& program) { return program.vm().map(DT_MAP_WAKEUP)->samples.size(); }

private:
    static uint8_t* word(DProgram& program)
    {
        return program.vm().section(DT_SECTION_STATE).data() + offsetof(dt_state, reader_state);
    }
};

TEST_F(ReaderWakeupTest, NoWakeupIsSentToAnAwakeConsumer)
{
    DProgram program("syscall::read:entry { trace(1); }");
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_READER_AWAKE});
}

TEST_F(ReaderWakeupTest, TheFirstSampleWakesTheConsumer)
{
    DProgram program("syscall::read:entry { trace(1); }");
    set(program, DT_READER_ASLEEP);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 1u);
    EXPECT_EQ(get(program), uint64_t{DT_READER_AWAKE});
}

TEST_F(ReaderWakeupTest, ASampleThatIsLostWakesTheConsumerToo)
{
    DProgram program("syscall::read:entry { trace(1); }");
    program.vm().map(DT_MAP_BUFFERS)->sample_limit = 0;
    set(program, DT_READER_ASLEEP);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(ReaderWakeupTest, FilteredHitsSendNoWakeup)
{
    DProgram program("syscall::read:entry /arg0 == 3/ { trace(1); }");
    set(program, DT_READER_ASLEEP);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_READER_ASLEEP});
}

TEST_F(ReaderWakeupTest, WhileOneProgramSendsAWakeupNoOtherDoes)
{
    DProgram program("syscall::read:entry { trace(1); }");
    set(program, DT_READER_WAKING);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(get(program), uint64_t{DT_READER_WAKING});
}

TEST_F(ReaderWakeupTest, AFailedWakeupIsRetriedByTheNextSample)
{
    DProgram program("syscall::read:entry { trace(1); }");
    program.vm().map(DT_MAP_WAKEUP)->sample_limit = 0;
    set(program, DT_READER_ASLEEP);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(get(program), uint64_t{DT_READER_ASLEEP});
}

TEST_F(ReaderWakeupTest, ExitWakesTheConsumer)
{
    DProgram program("syscall::read:entry { exit(0); }");
    set(program, DT_READER_ASLEEP);
    program.fire("sys_enter", {0, 0});
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(ReaderWakeupTest, AFaultWakesTheConsumer)
{
    DProgram program("syscall::read:entry { n = *(int *)arg0; }");
    set(program, DT_READER_ASLEEP);
    EXPECT_EQ(program.fire("sys_enter", {0, 0}).faults.size(), 1u);
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(ReaderWakeupTest, SpeculativeSamplesWakeTheConsumerAtTheCommitOnly)
{
    DProgram program("syscall::read:entry { self->s = speculation(); speculate(self->s); trace(1); }"
                     "syscall::write:entry { discard(self->s); }"
                     "syscall::close:entry { commit(self->s); }");
    constexpr uint64_t kRead = 0, kWrite = 1, kClose = 3;
    set(program, DT_READER_ASLEEP);
    EXPECT_EQ(program.fire("sys_enter", {0, kRead}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, kWrite}).samples, 1u);
    EXPECT_EQ(program.fire("sys_enter", {0, kRead}).samples, 1u);
    EXPECT_EQ(rung(program), 0u);
    EXPECT_EQ(program.fire("sys_enter", {0, kClose}).samples, 1u);
    EXPECT_EQ(rung(program), 1u);
}

TEST_F(ReaderWakeupTest, ProgramsThatRecordNothingContainNoWakeup)
{
    DProgram program("syscall::read:entry { n++; } END { trace(n); }");
    EXPECT_EQ(program.vm().map(DT_MAP_WAKEUP), nullptr);
}

} // namespace
} // namespace dt
