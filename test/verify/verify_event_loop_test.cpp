// Several traces in one event loop, on the running kernel.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/output/output.hpp"
#include "test/verify/loaded.hpp"

namespace dt::test {
namespace {

Options only_what_is_printed()
{
    Options options;
    options.put("quiet");
    return options;
}

/// A trace with its own session and output.
class Hosted {
public:
    Hosted(EventLoop& host, const std::string& text)
    {
        EXPECT_TRUE(session_.prepare());
        trace_.emplace(session_, session_.options());
        if (!trace_->add({Source::Kind::Script, "test.d", text}, SpecKind::Script, {}) || !trace_->compile()) {
            ADD_FAILURE() << trace_->compiler().diagnostics().list().front().message;
            return;
        }
        EXPECT_TRUE(trace_->load());
        EXPECT_TRUE(trace_->attach(output_));
        EXPECT_TRUE(host.start(*trace_, [this](Result<int> status) { status_ = status ? status.value() : -1; }));
    }

    Trace& trace() { return *trace_; }
    std::optional<int> status() const { return status_; }
    std::string printed()
    {
        output_.send();
        std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
        EXPECT_EQ(pread(file_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        return text.substr(0, text.find_last_not_of('\n') + 1);
    }

private:
    const int file_ = memfd_create("output", MFD_CLOEXEC);
    Output output_{file_};
    Session session_{only_what_is_printed()};
    std::optional<Trace> trace_;
    std::optional<int> status_;
};

class EventLoopTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (!can_load())
            GTEST_SKIP() << "this process may not load BPF programs";
    }
};

TEST_F(EventLoopTest, EachTraceHasItsOwnOutputAndEnd)
{
    EventLoop host;
    Hosted one(host, "BEGIN { printf(\"one\"); } tick-10ms /++n == 2/ { exit(1); } END { printf(\" %d\", n); }");
    Hosted two(host, "BEGIN { printf(\"two\"); } tick-10ms /++n == 5/ { exit(2); } END { printf(\" %d\", n); }");
    host.run();
    EXPECT_EQ(one.status(), 1);
    EXPECT_EQ(two.status(), 2);
    EXPECT_EQ(one.printed(), "one 2");
    EXPECT_EQ(two.printed(), "two 5");
}

TEST_F(EventLoopTest, ATraceThatIsEndedRunsItsEndAndTheOthersGoOn)
{
    EventLoop host;
    Hosted ended(host, "tick-1ms { @ = count(); } END { printf(\"end\"); trunc(@); }");
    Hosted other(host, "tick-1ms /++n > 5/ { exit(0); }");
    host.at(EventLoop::Clock::now(), [&] { host.end(ended.trace()); });
    host.run();
    EXPECT_EQ(ended.printed(), "end");
    EXPECT_EQ(ended.status(), 0);
    EXPECT_EQ(other.status(), 0);
}

TEST_F(EventLoopTest, AnEndCallbackMayStartAnotherTrace)
{
    EventLoop host;
    std::unique_ptr<Hosted> next;
    Hosted first(host, "BEGIN { exit(0); }");
    host.at(EventLoop::Clock::now(),
            [&] { next = std::make_unique<Hosted>(host, "BEGIN { printf(\"next\"); exit(7); }"); });
    host.run();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->printed(), "next");
    EXPECT_EQ(next->status(), 7);
}

TEST_F(EventLoopTest, AServiceRunsWithoutTracesUntilASignal)
{
    EventLoop host;
    const int event = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    std::unique_ptr<Hosted> one, other;
    host.watch(event, [&] {
        uint64_t count = 0;
        ASSERT_EQ(read(event, &count, sizeof count), static_cast<ssize_t>(sizeof count));
        one = std::make_unique<Hosted>(host, "END { printf(\"at once\"); }");
        host.end_now(one->trace());
        EXPECT_EQ(one->printed(), "at once");
        other = std::make_unique<Hosted>(host, "END { printf(\"at the signal\"); }");
        kill(getpid(), SIGTERM);
    });
    bool is_told = false;
    host.serve([&] { is_told = true; });
    close(event);
    EXPECT_TRUE(is_told);
    EXPECT_EQ(host.signal(), SIGTERM);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->printed(), "at the signal");
}

TEST_F(EventLoopTest, AggregationsAreShownElsewhereAndStay)
{
    EventLoop host;
    Hosted trace(host, "BEGIN { @[\"k\"] = count(); }");
    std::string shown[2];
    host.at(EventLoop::Clock::now(), [&] {
        for (std::string& text : shown) {
            Output nowhere(-1);
            EXPECT_TRUE(trace.trace().results().print_aggregations(nowhere, OutputFormat::Text));
            text = nowhere.text().view();
        }
        host.end(trace.trace());
    });
    host.run();
    EXPECT_NE(shown[0].find(" 1\n"), std::string::npos) << shown[0];
    EXPECT_EQ(shown[0], shown[1]);
    EXPECT_NE(trace.printed().find(" 1"), std::string::npos);
}

} // namespace
} // namespace dt::test
