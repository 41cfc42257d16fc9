// Tests several consecutive traces of one session on the running kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "libdtrace/attach/attach.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/program_set.hpp"
#include "libdtrace/trace/trace.hpp"
#include "test/verify/loaded.hpp"

namespace dt::test {
namespace {

class Sessions : public testing::Test {
protected:
    void SetUp() override
    {
        if (!can_load())
            GTEST_SKIP() << "this process may not load BPF programs";
        ASSERT_TRUE(session.prepare());
    }

    static Options quiet()
    {
        Options options;
        options.put("quiet");
        return options;
    }

    /// Traces with a program until it ends, and returns the output. If `carry` is true, variables keep their values
    /// from the previous trace.
    std::string run(const std::string& text, int status = 0, bool carry = false)
    {
        const int file = memfd_create("output", MFD_CLOEXEC);
        std::string printed;
        {
            EXPECT_TRUE(session.prepare());
            dt::Trace trace(session, session.options());
            Output output(file);
            if (!trace.add({Source::Kind::Script, "test.d", text}, SpecKind::Script, {}) || !trace.compile()) {
                ADD_FAILURE() << trace.compiler().diagnostics().list().front().message;
                return {};
            }
            if (carry)
                trace.restore(left);
            Result<void> started = trace.load();
            if (started)
                started = trace.attach(output);
            EventLoop host;
            Result<int> ended = -1;
            if (started)
                started = host.start(trace, [&](Result<int> exit) { ended = std::move(exit); });
            EXPECT_TRUE(started) << started.error().message;
            host.run();
            EXPECT_TRUE(ended && ended.value() == status);
            losses = trace.results().losses();
            output.send();
            anew = trace.programs().report().restarted_globals;
            auto values = trace.values();
            EXPECT_TRUE(values);
            left = std::move(values.value());
        }
        printed.resize(static_cast<std::size_t>(lseek(file, 0, SEEK_END)));
        EXPECT_EQ(pread(file, printed.data(), printed.size(), 0), static_cast<ssize_t>(printed.size()));
        close(file);
        if (printed.ends_with('\n')) // removes the newline at the end of every run's output
            printed.pop_back();
        return printed;
    }

    Session session{quiet()};
    TraceValues left;
    TraceDrops losses; ///< number of losses in the last trace
    std::vector<std::string> anew;
};

TEST_F(Sessions, EachRunStartsEmpty)
{
    const std::string text = "BEGIN { x++; @ = sum(5); @k[x] = count(); printf(\"x=%d\", x); printa(\" %@d\", @); "
                             "printa(\" %d:%@d\", @k); exit(x); }";
    EXPECT_EQ(run(text, 1), "x=1 5 1:1");
    EXPECT_EQ(run(text, 1), "x=1 5 1:1");
}

TEST_F(Sessions, GlobalsGoOnWhereTheyAreCarriedOver)
{
    const std::string text = "int narrow; string s; BEGIN { x++; narrow--; s = strjoin(s, \"a\"); printf(\"%d %d %s\", "
                             "x, narrow, s); exit(0); }";
    EXPECT_EQ(run(text), "1 -1 a");
    // keeps the variables of the session that this trace does not use
    EXPECT_EQ(run("BEGIN { y = 1; exit(0); }", 0, true), "");
    EXPECT_EQ(run(text, 0, true), "2 -2 aa");
    EXPECT_EQ(run("char x; BEGIN { x++; printf(\"%d\", x); exit(0); }", 0, true), "1");
    ASSERT_EQ(anew.size(), 1u);
    EXPECT_EQ(anew[0], "x: its type was int64_t and is now char");
}

TEST_F(Sessions, AggregationsGoOnWhereTheyAreCarriedOver)
{
    const std::string text =
        "BEGIN { @ = sum(5); @least = min(7); @mean = avg(10); @k[\"a\", 1] = count(); "
        "printa(\"%@d \", @); printa(\"%@d \", @least); printa(\"%@d \", @mean); printa(\"%s%d %@d\", @k); exit(0); }";
    EXPECT_EQ(run(text), "5 7 10 a1 1");
    EXPECT_EQ(
        run("BEGIN { @ = sum(1); @least = min(9); @mean = avg(40); @k[\"b\", 2] = count(); clear(@least); trunc(@k, "
            "0); exit(0); }"
            "END { printa(\"%@d \", @); printa(\"%@d \", @mean); printa(\"%s%d %@d\", @k); printa(\"%@d\", @least); }",
            0, true)
            .substr(0, 5),
        "6 25 ");
    EXPECT_EQ(run(text, 0, true), "11 7 20 a1 1");
    EXPECT_EQ(run("BEGIN { @ = count(); printa(\"%@d\", @); exit(0); }", 0, true), "1");
    EXPECT_EQ(anew, std::vector<std::string>{"@_: its aggregating function has changed"});
}

TEST_F(Sessions, TheResultOfARunHasItsLossesAndTheFiringsOfItsProbes)
{
    run("#pragma D option aggsize=16\n#pragma D option hits\n#pragma D option quiet\n"
        "BEGIN { @[1] = count(); @[2] = count(); exit(0); }");
    for (const output::DropRow& row : losses.causes)
        EXPECT_EQ(row.count, row.cause == "aggregation" ? 1U : 0U) << row.cause;
    ASSERT_EQ(losses.probes.size(), 1U);
    EXPECT_EQ(losses.probes[0].fired, 1U);
    EXPECT_EQ(losses.probes[0].lost, 1U);
    run("BEGIN { exit(0); }");
    EXPECT_FALSE(output::has_losses(losses.causes));
}

TEST_F(Sessions, OptionsSetByARunEndWithIt)
{
    EXPECT_EQ(run("#pragma D option strsize=4\nBEGIN { s = \"123456\"; setopt(\"quiet\", \"no\"); printf(\"%s\", s); "
                  "exit(0); }")
                  .substr(0, 3),
              "123");
    EXPECT_EQ(run("BEGIN { s = \"123456\"; printf(\"%s\", s); exit(0); }"), "123456");
}

TEST_F(Sessions, TypesOfTheKernelServeEveryRun)
{
    const std::string text = "BEGIN { printf(\"%d\", (int)curthread->pid == tid); exit(0); }";
    EXPECT_EQ(run(text), "1");
    EXPECT_EQ(run("BEGIN { trace(sizeof(struct task_struct) > 1000); exit(0); }"), run("BEGIN { trace(1); exit(0); }"));
    EXPECT_EQ(run(text), "1");
}

/// Calls getppid() in a thread while the object exists.
class Caller {
    std::jthread thread_{[](const std::stop_token& stop) {
        for (int i = 0; i < 1'000'000 && !stop.stop_requested(); ++i) {
            getppid();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }};
};

TEST_F(Sessions, ProbesFireInEveryRun)
{
    const Caller caller;
    const std::string probe = "syscall::getppid:entry /pid == " + std::to_string(getpid());
    const std::string text = probe + "/ { n++; } " + probe + " && n == 3/ { printf(\"%d\", n); exit(0); }";
    EXPECT_EQ(run(text), "3");
    EXPECT_EQ(run(text), "3");
}

TEST_F(Sessions, FramesOfTheTracerAreInNoRunsStacks)
{
    const Caller caller;
    const std::string text = "syscall::getppid:entry /pid == " + std::to_string(getpid()) + "/ { stack(1); exit(0); }";
    const std::string first = run(text);
    EXPECT_THAT(first, testing::HasSubstr("vmlinux`"));
    EXPECT_THAT(first, testing::Not(testing::HasSubstr("bpf")));
    EXPECT_EQ(run(text), first);
}

} // namespace
} // namespace dt::test
