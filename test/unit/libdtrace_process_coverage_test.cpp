// Tests which processes a probe description such as shop*:::sale has covered, by artificial events about processes that
// map a temporary file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "libdtrace/attach/process_coverage.hpp"

namespace dt {
namespace {

constexpr pid_t kFirst = 4'000'001; // pid above the kernel's maximum, so that it is the pid of no real process

class ProcessCoverageTest : public testing::Test {
protected:
    ProcessCoverageTest()
    {
        path_ = testing::TempDir() + "coverage_test_" + std::to_string(getpid());
        std::ofstream(path_) << "code";
        probe_.provider = "shop*";
        program_.statements.emplace_back();
        program_.statements.back().description = "shop*:::sale";
        program_.statements.back().probes = {&probe_};
        auto plan = std::make_shared<AttachPlan>();
        plan->everywhere = true;
        plan->targets.push_back({path_, 0, 0, &probe_});
        hooked_.programs.push_back({"program", plan, {}});
    }
    ~ProcessCoverageTest() override { std::remove(path_.c_str()); }

    static uint64_t now()
    {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
    }

    void happens(MappingEvent::Kind kind, uint64_t time, pid_t pid, pid_t parent = 0, bool is_new = false)
    {
        MappingEvent event;
        event.kind = kind;
        event.time = time;
        event.pid = pid;
        event.parent = parent;
        event.path = path_;
        coverage_.take(event, is_new);
    }

    std::string path_;
    Probe probe_;
    Program program_;
    Schema hooked_, nothing_;
    ProcessCoverage coverage_{"/nowhere", {"shop*:::sale"}};
};

using Kind = MappingEvent::Kind;

TEST_F(ProcessCoverageTest, ChildProcessesAreCoveredInAnyOrderOfEvents)
{
    coverage_.begin(program_, hooked_);
    happens(Kind::Exit, 40, kFirst + 1, 0);
    happens(Kind::Fork, 30, kFirst + 2, kFirst + 1);
    happens(Kind::Fork, 20, kFirst + 1, kFirst);
    happens(Kind::Map, 10, kFirst);
    happens(Kind::Map, 50, kFirst); // the process maps the file a second time
    happens(Kind::Exec, 60, kFirst + 2);
    // a child of kFirst + 2, which has executed another program at time 60
    happens(Kind::Fork, 70, kFirst + 3, kFirst + 2);
    happens(Kind::Map, 80, kFirst + 2); // the other program maps the same file
    happens(Kind::Fork, 90, kFirst + 4, kFirst);
    happens(Kind::Exec, 91, kFirst + 4); // the child of kFirst executes a command
    const auto notes = coverage_.report(false);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].text, "description 'shop*:::sale' covered 3 processes, all of which appeared after the start");
    EXPECT_FALSE(notes[0].is_loss);
}

TEST_F(ProcessCoverageTest, RunningProcessesCountAsLateAndEndedProcessesAsMissed)
{
    coverage_.begin(program_, nothing_);
    const uint64_t time = now() - 1'000'000'000;
    happens(Kind::Map, time, kFirst, 0, true);
    happens(Kind::Map, time + 1000, kFirst + 1);
    happens(Kind::Exit, time + 2000, kFirst + 1);
    // the process has ended when the tracer reads the event about this mapping
    happens(Kind::Map, time + 3000, kFirst + 2);
    for (int i = 0; i < 300; ++i)
        // so many events of an unrelated process that the queue is full and its events are processed
        happens(Kind::Fork, time + 4000, kFirst + 4, kFirst + 5);
    coverage_.hook(program_, hooked_);
    happens(Kind::Exit, time + 5000, kFirst + 2);
    happens(Kind::Map, now() + 1'000'000, kFirst + 3);
    const auto notes = coverage_.report(false);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_TRUE(notes[0].is_loss);
    const std::string& text = notes[0].text;
    EXPECT_THAT(
        text,
        testing::StartsWith(
            "description 'shop*:::sale' covered 2 processes, all of which appeared after the start; 1 ran for up to "));
    EXPECT_NE(
        text.find(" ms before its probes were attached; 2 ended before their probes were attached and were missed"),
        std::string::npos)
        << text;
    EXPECT_GE(notes[0].numbers[3].second, 1'000'000'000u);
}

TEST_F(ProcessCoverageTest, WithoutProcessesNoReportIsMade)
{
    coverage_.begin(program_, hooked_);
    EXPECT_TRUE(coverage_.report(false).empty());
    EXPECT_EQ(coverage_.report(true).at(0).text, "description 'shop*:::sale' covered 0 processes");
}

} // namespace
} // namespace dt
