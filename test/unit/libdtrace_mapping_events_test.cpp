// Tests the kernel's events about the mappings and the lives of all processes: they arrive in the order of time, and
// none is missing.
#include <gtest/gtest.h>

#include <map>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/proc_file.hpp"
#include "libdtrace/mappings/mapping_events.hpp"

namespace dt {
namespace {

// kPrograms: number of programs to run; their events exceed the buffer, so writing continues at its start. kBetween:
// number of programs between two reads; their events fit into the buffer.
constexpr int kPrograms = 900, kBetween = 150;

pid_t run_true()
{
    char name[] = "/bin/true", *words[] = {name, nullptr}, *none[] = {nullptr};
    pid_t pid = -1;
    if (posix_spawn(&pid, name, nullptr, nullptr, words, none) == 0)
        waitpid(pid, nullptr, 0);
    return pid;
}

struct Seen {
    int forks = 0, executed = 0, mapped = 0, ended = 0;
};

TEST(MappingEvents, NoEventIsMissingOrOutOfOrderWhereTheBufferWraps)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "perf events of all processes need root";
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one); // all events are written to the buffer of one CPU
    MappingEvents events;
    ASSERT_TRUE(events.open());
    std::map<pid_t, Seen> seen;
    uint64_t last = 0;
    for (int i = 0; i < kPrograms; ++i) {
        seen[run_true()];
        if (i % kBetween != kBetween - 1)
            continue;
        events.take([&](const MappingEvent& event) {
            EXPECT_NE(event.kind, MappingEvent::Kind::Lost);
            EXPECT_LE(last, event.time);
            last = event.time;
            const auto known = seen.find(event.pid);
            if (known == seen.end())
                return;
            Seen& program = known->second;
            program.forks += event.kind == MappingEvent::Kind::Fork ? 1 : 0;
            program.executed += event.kind == MappingEvent::Kind::Exec && program.forks == 1 ? 1 : 0;
            program.mapped += event.kind == MappingEvent::Kind::Map && event.path.ends_with("/true") ? 1 : 0;
            program.ended += event.kind == MappingEvent::Kind::Exit && program.executed == 1 ? 1 : 0;
        });
    }
    sched_setaffinity(0, sizeof all, &all);
    for (const auto& [pid, program] : seen)
        EXPECT_TRUE(program.forks == 1 && program.executed == 1 && program.mapped == 1 && program.ended == 1) << pid;
}

/// Called in a child process. The first thread ends before the second one, and the process ends with the second one.
[[noreturn]] void end_leader_first()
{
    std::thread other([leader = std::to_string(getpid())] {
        while (read_proc_file("/proc/self/task/" + leader + "/stat").find(") Z ") == std::string::npos)
            usleep(1000);
        _exit(0);
    });
    other.detach();
    syscall(SYS_exit, 0);
    _exit(1); // never reached: the process ends with the second thread
}

TEST(MappingEvents, TheFirstThreadOfAProcessMayEndBeforeTheProcess)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "perf events of all processes need root";
    MappingEvents events;
    ASSERT_TRUE(events.open());
    const pid_t child = fork();
    if (child == 0)
        end_leader_first();
    waitpid(child, nullptr, 0);
    std::vector<MappingEvent::Kind> seen;
    events.take([&](const MappingEvent& event) {
        if (event.pid == child && event.kind != MappingEvent::Kind::Map)
            seen.push_back(event.kind);
    });
    using Kind = MappingEvent::Kind;
    EXPECT_EQ(seen, (std::vector{Kind::Fork, Kind::LeaderExit, Kind::Exit}));
}

} // namespace
} // namespace dt
