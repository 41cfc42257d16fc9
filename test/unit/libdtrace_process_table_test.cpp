// Tests the table of processes: which processes it evicts when it is full, and to which program it assigns an address
// if events arrive out of order.
#include "libdtrace/mappings/process_table.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

using Kind = MappingEvent::Kind;

constexpr ProcessTable::Bounds kFour{4, std::size_t{1} << 20, 8, 3};

MappingEvent event(Kind kind, pid_t pid, uint64_t time, pid_t parent = 0)
{
    MappingEvent made;
    made.kind = kind;
    made.pid = pid;
    made.time = time;
    made.parent = parent;
    return made;
}

MappedPart part(const char* path, uint64_t since, uint64_t start = 0x1000)
{
    auto file = std::make_shared<MappedFile>();
    file->path = path;
    return {start, start + 0x1000, 0, 0, since, std::move(file)};
}

/// A process table, and short functions that apply events to it.
struct ProcessTableTest : testing::Test {
    void run(pid_t pid, const char* path, uint64_t time)
    {
        table.apply(event(Kind::Exec, pid, time));
        map(pid, path, time + 1);
    }
    void map(pid_t pid, const char* path, uint64_t time) { table.add(table.of(pid), SIZE_MAX, part(path, time)); }
    std::string at(pid_t pid, uint64_t time, uint64_t address = 0x1800) const
    {
        const auto* const known = table.find(pid);
        const auto found = known ? table.look_up(*known, address, time) : ProcessTable::Found{};
        return found.part ? found.part->file->path : "";
    }

    ProcessTable table{kFour};
};

TEST_F(ProcessTableTest, TheProcessThatEndedFirstIsEvictedFirst)
{
    for (const pid_t pid : {1, 2, 3, 4})
        run(pid, "/a", 10);
    table.apply(event(Kind::Exit, 3, 20));
    table.apply(event(Kind::Exit, 2, 21));
    table.make_room();
    EXPECT_EQ(table.size(), 4u);
    run(5, "/a", 30);
    table.make_room();
    EXPECT_FALSE(table.find(3));
    run(6, "/a", 31);
    table.make_room();
    EXPECT_FALSE(table.find(2));
    EXPECT_TRUE(table.find(1) && table.find(4)) << "they live";
}

TEST_F(ProcessTableTest, EndedProcessesRemainInTheTableUpToTheLimit)
{
    for (const pid_t pid : {1, 2, 3, 4})
        run(pid, "/a", 10);
    for (const pid_t pid : {2, 3, 4})
        table.apply(event(Kind::Exit, pid, 20));
    table.set_max_ended(1);
    table.make_room();
    EXPECT_EQ(table.size(), 2u);
    EXPECT_TRUE(table.find(1) && table.find(4));
}

TEST_F(ProcessTableTest, TheLeastRecentlySeenLiveProcessIsEvicted)
{
    for (const pid_t pid : {1, 2, 3, 4})
        run(pid, "/a", 10);
    table.of(1);
    run(5, "/a", 20);
    table.make_room();
    EXPECT_FALSE(table.find(2));
    EXPECT_TRUE(table.find(1));
    EXPECT_EQ(table.size(), 4u) << "the others stay";
}

TEST_F(ProcessTableTest, AProcessWhoseMapsAreBeingReadIsNotEvicted)
{
    for (const pid_t pid : {1, 2, 3, 4, 5})
        run(pid, "/a", 10);
    table.apply(event(Kind::Exit, 1, 20));
    table.make_room(1);
    EXPECT_TRUE(table.find(1));
    EXPECT_FALSE(table.find(2));
}

TEST_F(ProcessTableTest, FailedLookUpsTakeNoMemory)
{
    for (const pid_t pid : {1, 2, 3, 4}) {
        run(pid, "/a", 10);
        table.apply(event(Kind::Exit, pid, 20));
    }
    for (const pid_t pid : {101, 102, 103}) {
        table.make_room();
        table.of(pid);
        table.miss(pid);
    }
    table.make_room();
    EXPECT_EQ(at(2, 15), "/a");
    EXPECT_EQ(table.size(), 4u);
    EXPECT_EQ(table.missed(), 0u) << "they were never known";
}

TEST_F(ProcessTableTest, FailedLookUpsOfEvictedProcessesAreCountedOnce)
{
    for (const pid_t pid : {1, 2, 3, 4, 5, 6})
        run(pid, "/a", 10);
    table.make_room();
    for (int i = 0; i < 3; ++i) {
        table.of(1);
        table.miss(1);
    }
    EXPECT_EQ(table.missed(), 1u);
    table.apply(event(Kind::Fork, 2, 30, 6)); // a new process with pid 2, which is not the evicted process 2
    table.of(2);
    table.miss(2);
    EXPECT_EQ(table.missed(), 1u);
}

TEST_F(ProcessTableTest, AProcessEvictedWhileItRunsIsIncompleteAfterwards)
{
    run(1, "/a", 10);
    for (const pid_t pid : {2, 3, 4, 5})
        run(pid, "/a", 11);
    table.make_room();
    ASSERT_FALSE(table.find(1));
    map(1, "/library", 20);
    table.miss(1);
    EXPECT_EQ(table.missed(), 1u);
}

TEST_F(ProcessTableTest, MemoryIsBoundedAndSharedPartsAreCountedOnce)
{
    ProcessTable small({1000, 1 << 16, 8192, 64});
    for (int i = 0; i < 100; ++i)
        small.add(small.of(1), SIZE_MAX, part("/a", 5, 0x1000u * static_cast<unsigned>(i)));
    const std::size_t one = small.bytes();
    for (pid_t pid = 2; pid <= 20; ++pid)
        small.apply(event(Kind::Fork, pid, 10, 1));
    EXPECT_LT(small.bytes(), 3 * one);
    for (pid_t pid = 2; pid <= 20; ++pid)
        small.add(small.of(pid), SIZE_MAX, part("/own", 11));
    small.make_room();
    EXPECT_LE(small.bytes(), std::size_t{1} << 16);
    EXPECT_TRUE(small.find(20));
    small.forget_all();
    EXPECT_EQ(small.bytes(), 0u);
}

TEST_F(ProcessTableTest, AProcessKeepsTheLastOfTheProgramsThatItExecuted)
{
    run(1, "/first", 10);
    run(1, "/second", 20);
    run(1, "/third", 30);
    run(1, "/fourth", 40);
    EXPECT_EQ(at(1, 15), "");
    EXPECT_EQ(at(1, 25), "/second");
    EXPECT_EQ(at(1, 45), "/fourth");
    table.miss(1);
    EXPECT_EQ(table.missed(), 1u);
}

TEST_F(ProcessTableTest, TheLatestMappingsOfAProcessRemainInTheTable)
{
    for (uint64_t i = 0; i < 9; ++i)
        table.add(table.of(1), SIZE_MAX, part("/a", 5, 0x1000 * i));
    EXPECT_EQ(at(1, 10, 0x100), "");
    EXPECT_EQ(at(1, 10, 0x8100), "/a");
    EXPECT_EQ(at(1, 10, 0x5100), "/a");
}

TEST_F(ProcessTableTest, LookUpsDoNotUseMappingsOfEarlierPrograms)
{
    run(1, "/first", 10);
    table.apply(event(Kind::Exec, 1, 20));
    EXPECT_EQ(at(1, 15), "/first");
    EXPECT_EQ(at(1, 25), "");
}

TEST_F(ProcessTableTest, AMappingEventBeforeItsExecEventBelongsToTheNextProgram)
{
    run(1, "/first", 10);
    map(1, "/second", 21);
    table.apply(event(Kind::Exec, 1, 20));
    EXPECT_EQ(at(1, 15), "/first");
    EXPECT_EQ(at(1, 25), "/second");
}

TEST_F(ProcessTableTest, AnExecEventThatArrivesBeforeItsForkEventCounts)
{
    run(1, "/parent", 10);
    run(2, "/child", 21);
    table.apply(event(Kind::Exit, 2, 30));
    table.apply(event(Kind::Fork, 2, 20, 1));
    EXPECT_EQ(at(2, 20), "/parent");
    EXPECT_EQ(at(2, 25), "/child");
    EXPECT_TRUE(table.find(2)->has_ended);
}

TEST_F(ProcessTableTest, ALateEventFromBeforeTheEndDoesNotReviveAProcess)
{
    table.apply(event(Kind::Exit, 1, 30));
    table.apply(event(Kind::Exec, 1, 20));
    EXPECT_TRUE(table.find(1)->has_ended);
    table.apply(event(Kind::Exec, 1, 40)); // process 1 lives, because at time 30 only its first thread had ended
    EXPECT_FALSE(table.find(1)->has_ended);
}

TEST_F(ProcessTableTest, ANewProcessWithAReusedPidIsAnotherProcess)
{
    run(1, "/parent", 10);
    run(2, "/old", 11);
    table.apply(event(Kind::Exit, 2, 12));
    const uint64_t before = table.version(2);
    table.apply(event(Kind::Fork, 2, 20, 1));
    EXPECT_EQ(at(2, 25), "/parent");
    EXPECT_NE(table.version(2), before);
    EXPECT_FALSE(table.find(2)->has_ended);
}

TEST_F(ProcessTableTest, LookUpsForTimesWithLostEventsFindNothing)
{
    run(1, "/before", 10);
    const uint64_t before = table.version(1);
    table.lose(20, 30);
    EXPECT_NE(table.version(1), before);
    map(1, "/after", 30); // The events from time 20 to 30 are lost. Then the tracer reads this mapping from /proc.
    EXPECT_EQ(at(1, 15), "/before");
    EXPECT_EQ(at(1, 25), "");
    EXPECT_EQ(at(1, 35), "/after");
    table.lose(40, 50);
    table.lose(60, 70); // events are lost again before the next lookup
    EXPECT_EQ(at(1, 35), "/after");
    EXPECT_EQ(at(1, 55), "");
    EXPECT_LE(table.find(1)->images.size(), 3u);
}

TEST_F(ProcessTableTest, ALossOfEventsDoesNotAffectProcessesThatEndedEarlier)
{
    run(1, "/a", 10);
    run(2, "/b", 10);
    table.apply(event(Kind::Exit, 1, 15));
    // Process 2 ended at time 25, after the loss of events began at time 20. So its program after time 20 is unknown.
    table.apply(event(Kind::Exit, 2, 25));
    const ProcessTable::Process& reading = table.of(2);
    table.lose(20, 30);
    EXPECT_EQ(at(1, 12), "/a");
    EXPECT_EQ(at(2, 12), "/b");
    EXPECT_EQ(at(2, 22), "");
    EXPECT_EQ(table.find(2), &reading);
}

TEST_F(ProcessTableTest, LostEventsAreCountedOncePerProcess)
{
    run(1, "/a", 10);
    table.lose(20, 30);
    for (const pid_t pid : {1, 1, 3, 3}) { // the events for the start and the end of process 3 were lost
        table.of(pid);
        table.miss(pid);
    }
    EXPECT_EQ(table.missed(), 2u);
}

TEST_F(ProcessTableTest, ALowerMemoryLimitAppliesWhenTheNextProcessIsAdded)
{
    ProcessTable large;
    for (pid_t pid = 1; pid <= 100; ++pid)
        large.add(large.of(pid), SIZE_MAX, part("/a", 5));
    large.make_room();
    EXPECT_EQ(large.size(), 100u);
    large.set_max_bytes(large.bytes() / 2);
    large.make_room();
    EXPECT_LE(large.size(), 50u);
    EXPECT_TRUE(large.find(100));
}

} // namespace
} // namespace dt
