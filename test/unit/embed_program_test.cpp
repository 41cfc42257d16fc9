// Tests a program that embeds the tracing engine: it fires probes and reads the data that they recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "test/unit/embed_support.hpp"

namespace dt::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(EmbeddedEngine, WordsThatTheHostProgramPassesAreTheProbeArguments)
{
    LoadedProgram p("syscall::read:entry { printf(\"%d %d\\n\", arg0, (int)arg2); trace(probefunc); }");
    ASSERT_TRUE(p.engine) << p.problem;
    EXPECT_EQ(p.fire("syscall::read:entry", {7, 0, static_cast<uint64_t>(-3)}), 0);
    EXPECT_EQ(p.fire("read:entry"), 0); // a firing without arguments: arg0 and arg2 are 0
    EXPECT_THAT(p.drain(), ElementsAre("printf 7 -3", "trace read", "printf 0 0", "trace read"));
    EXPECT_TRUE(p.drain().empty());
}

TEST(EmbeddedEngine, SeveralProbesOfOneBpfProgramAreDistinguished)
{
    LoadedProgram p("syscall::read:entry, syscall::write:entry { @[probefunc] = sum(arg2); }");
    ASSERT_TRUE(p.engine) << p.problem;
    EXPECT_EQ(dt_engine_probes(p.engine), 2);
    p.fire("sys*::read:entry", {0, 0, 5});
    p.fire("sys*::write:", {0, 0, 6});
    p.fire("sys*::write:", {0, 0, 7});
    EXPECT_THAT(p.aggregation("_"), ElementsAre("read : 5", "write : 13"));
}

TEST(EmbeddedEngine, ProbeDescriptionsMatchAsInD)
{
    LoadedProgram p("BEGIN { } syscall::read:entry { }");
    EXPECT_STREQ(dt_engine_probe_name(p.engine, dt_engine_probe(p.engine, "BEGIN")), "dtrace:::BEGIN");
    EXPECT_EQ(dt_engine_probe(p.engine, "read:entry"), dt_engine_probe(p.engine, "syscall:::entry"));
    EXPECT_EQ(dt_engine_probe(p.engine, "read"), -1);
    EXPECT_THAT(dt_engine_error(), HasSubstr("no probe read"));
    EXPECT_EQ(dt_engine_fire(p.engine, 99, nullptr, 0), -1);
}

TEST(EmbeddedEngine, StringArgumentsAreReadFromTheMemoryOfTheHostProgram)
{
    LoadedProgram p("syscall::read:entry { printf(\"%s\", copyinstr(arg1)); @[copyinstr(arg1)] = count(); }");
    const char tea[] = "tea";
    p.fire("read:entry", {0, reinterpret_cast<uint64_t>(tea)});
    p.fire("read:entry", {0, 8}); // no memory is mapped at address 8
    const auto lines = p.drain();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "printf tea");
    EXPECT_EQ(lines[1], "fault 1 8"); // fault number 1 is DTRACEFLT_BADADDR
    EXPECT_THAT(p.aggregation("_"), ElementsAre("tea : 1"));
}

TEST(EmbeddedEngine, PidTidAndTimeAreAvailable)
{
    LoadedProgram p("BEGIN { printf(\"%d %d %d\", pid, tid, uid); }");
    p.fire("BEGIN");
    const std::string expected =
        "printf " + std::to_string(getpid()) + " " + std::to_string(gettid()) + " " + std::to_string(getuid());
    EXPECT_THAT(p.drain(), ElementsAre(expected));
    LoadedProgram moments("uint64_t before; BEGIN { trace(timestamp > before); before = timestamp; }");
    moments.fire("BEGIN");
    moments.fire("BEGIN");
    EXPECT_THAT(moments.drain(), ElementsAre("trace 1", "trace 1"));
}

TEST(EmbeddedEngine, MembersOfTheCurrentTaskAreReadable)
{
    LoadedProgram p("syscall::read:entry { printf(\"%d %d %s\", pid, tid, execname); }",
                    {{"pid", 1000}, {"tgid", 1004}, {"comm", 1608}});
    std::thread([&] {
        pthread_setname_np(pthread_self(), "reader");
        EXPECT_EQ(p.fire("read:entry"), 0) << dt_engine_error();
        const std::string expected = "printf " + std::to_string(getpid()) + " " + std::to_string(gettid()) + " reader";
        EXPECT_THAT(p.drain(), ElementsAre(expected));
    }).join();
}

TEST(EmbeddedEngine, TheHostProgramReadsAndSetsDVariablesInPlace)
{
    LoadedProgram p(
        "int64_t limit, slow; int64_t by[int]; syscall::read:entry /arg2 > limit/ { slow++; by[arg0] = arg2; }");
    size_t size = 0;
    auto* const limit = static_cast<int64_t*>(dt_engine_variable(p.engine, "limit", &size));
    ASSERT_TRUE(limit);
    EXPECT_EQ(size, 8u);
    *limit = 10;
    for (const uint64_t bytes : {9, 10, 11, 12})
        p.fire("read:entry", {bytes, 0, bytes});
    EXPECT_EQ(*static_cast<int64_t*>(dt_engine_variable(p.engine, "slow", nullptr)), 2);
    EXPECT_EQ(dt_engine_variable(p.engine, "fast", nullptr), nullptr);
    std::vector<int64_t> values;
    const auto each = [](const void*, size_t, const void* value, size_t room, void* context) {
        int64_t number = 0;
        std::memcpy(&number, value, std::min(room, sizeof number));
        static_cast<std::vector<int64_t>*>(context)->push_back(number);
    };
    EXPECT_EQ(dt_engine_map(p.engine, "by", each, &values), 2);
    EXPECT_THAT(values, ElementsAre(11, 12));
}

TEST(EmbeddedEngine, AggregationsHaveTheValuesThatTheirFunctionsCompute)
{
    LoadedProgram p(
        "syscall::read:entry { @n = count(); @low = min((int)arg0); @high = max((int)arg0); @mean = avg((int)arg0); }"
        "syscall::write:entry { @never = count(); }");
    EXPECT_TRUE(p.aggregation("n").empty());
    for (const int value : {5, -7, 4})
        p.fire("read:entry", {static_cast<uint64_t>(value)});
    EXPECT_THAT(p.aggregation("n"), ElementsAre(": 3"));
    EXPECT_THAT(p.aggregation("low"), ElementsAre(": -7"));
    EXPECT_THAT(p.aggregation("high"), ElementsAre(": 5"));
    EXPECT_THAT(p.aggregation("mean"), ElementsAre(": 3 2 0"));
    EXPECT_TRUE(p.aggregation("never").empty());
    EXPECT_THAT(p.aggregation("nobody"), ElementsAre(HasSubstr("no aggregation nobody")));
}

TEST(EmbeddedEngine, RecordsOfASpeculationAppearWhenItIsCommitted)
{
    LoadedProgram p("syscall::read:entry { self->s = speculation(); }"
                    "syscall::read:entry { speculate(self->s); printf(\"%d\", arg0); }"
                    "syscall::write:entry /arg0/ { commit(self->s); }"
                    "syscall::write:entry /!arg0/ { discard(self->s); }"
                    "syscall::write:entry { printf(\"%d end\", arg0); }");
    p.fire("read:entry", {1});
    EXPECT_TRUE(p.drain().empty());
    p.fire("write:entry", {1});
    p.fire("read:entry", {2});
    p.fire("write:entry", {0});
    EXPECT_THAT(p.drain(), ElementsAre("printf 1", "printf 1", "printf 0"));
}

TEST(EmbeddedEngine, EachThreadHasItsOwnThreadLocalVariables)
{
    LoadedProgram p("self int64_t n; syscall::read:entry { self->n += arg0; printf(\"%d\", self->n); }");
    p.fire("read:entry", {1});
    std::thread([&] { p.fire("read:entry", {10}); }).join();
    p.fire("read:entry", {2});
    EXPECT_THAT(p.drain(), ElementsAre("printf 1", "printf 10", "printf 3"));
}

TEST(EmbeddedEngine, SeveralThreadsCanUseOneEngine)
{
    LoadedProgram p("int64_t n; syscall::read:entry { n++; @[tid] = count(); }");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int done = 0; done < 500; ++done)
                p.fire("read:entry");
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(*static_cast<int64_t*>(dt_engine_variable(p.engine, "n", nullptr)), 2000);
    for (const std::string& line : p.aggregation("_"))
        EXPECT_THAT(line, HasSubstr(": 500"));
    EXPECT_EQ(dt_engine_lost(p.engine), 0u);
}

TEST(EmbeddedEngine, RecordsThatDoNotFitIntoTheBufferCountAsLost)
{
    LoadedProgram p("syscall::read:entry { trace(arg0); }");
    for (uint64_t i = 0; i < 65536 + 10; ++i)
        ASSERT_EQ(p.fire("read:entry", {i}), 0);
    EXPECT_EQ(dt_engine_lost(p.engine), 10u);
    EXPECT_EQ(p.drain().size(), 65536u);
}

TEST(EmbeddedEngine, MissingFilesAndFilesOfAnotherKindAreRefused)
{
    char message[64] = "";
    EXPECT_EQ(dt_engine_load("nothing", 7, message, sizeof message), nullptr);
    EXPECT_THAT(message, HasSubstr("dtrace -x save"));
    EXPECT_EQ(dt_engine_open("/nonexistent/file.o", message, sizeof message), nullptr);
    EXPECT_THAT(message, HasSubstr("No such file"));
    EXPECT_EQ(dt_engine_open("/nonexistent/file.o", message, 5), nullptr);
    EXPECT_STREQ(message, "cann");
    LoadedProgram p("BEGIN { }");
    EXPECT_EQ(dt_engine_share(p.engine, getpid()), -1); // this fails, because no tracer has opened this process
    dt_engine_close(nullptr);
}

TEST(EmbeddedEngine, DamagedObjectsAreRefused)
{
    const auto whole = saved("int64_t n; syscall::read:entry { n++; @[execname] = count(); printf(\"%d\", arg0); }");
    ASSERT_FALSE(whole.empty());
    char message[512];
    for (std::size_t size = 0; size < whole.size(); size += 97)
        dt_engine_close(dt_engine_load(whole.data(), size, message, sizeof message));
    for (std::size_t at = 0; at < whole.size(); at += 13) {
        auto damaged = whole;
        damaged[at] ^= 0x55;
        if (dt_engine* const engine = dt_engine_load(damaged.data(), damaged.size(), message, sizeof message)) {
            for (int probe = 0; probe < dt_engine_probes(engine); ++probe)
                dt_engine_fire(engine, probe, nullptr, 0);
            dt_engine_drain(
                engine, [](const dt_record*, void*) {}, nullptr);
            dt_engine_close(engine);
        }
    }
}

} // namespace
} // namespace dt::test
