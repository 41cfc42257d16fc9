// Tests the messages that announce attaching and its progress, with an artificial clock.
#include <gmock/gmock.h>

#include "libdtrace/attach/attach.hpp"

namespace dt {
namespace {

using namespace std::chrono_literals;

struct Told {
    std::vector<std::string> announced;
    std::vector<std::size_t> progress;
    std::chrono::steady_clock::time_point now{};
    AttachListener listener{[this](const std::string& text) { announced.push_back(text); },
                            [this](std::size_t done, std::size_t) { progress.push_back(done); }};
};

std::vector<ProgramPlan> tracepoints(std::size_t count)
{
    auto plan = std::make_shared<AttachPlan>();
    plan->kind = ProgramKind::Tracepoint;
    plan->targets.resize(count);
    ProgramPlan program;
    program.plan = plan;
    return {program};
}

TEST(AttachProgress, AnnouncesAttachmentsOfMoreThanTwoSeconds)
{
    Told told;
    const auto few = tracepoints(20), many = tracepoints(500);
    AttachProgress quiet(few, told.listener, [&] { return told.now; });
    quiet.begin(ProgramKind::Tracepoint, [] { return true; });
    AttachProgress refused(many, told.listener, [&] { return told.now; });
    refused.begin(ProgramKind::Tracepoint, [] { return false; });
    EXPECT_THAT(told.announced, testing::IsEmpty()) << "few, and what the kernel does not have";
    AttachProgress loud(many, told.listener, [&] { return told.now; });
    for (int i = 0; i < 2; ++i)
        loud.begin(ProgramKind::Tracepoint, [] { return true; });
    EXPECT_THAT(told.announced,
                testing::ElementsAre("attaching 500 events by tracepoint: about 1 s, and 30 s to detach"));
}

TEST(AttachProgress, ShowsProgressAfterASecondThenEveryTenSecondsAndAtTheEnd)
{
    Told told;
    const auto programs = tracepoints(500);
    {
        AttachProgress progress(programs, told.listener, [&] { return told.now; });
        for (int i = 0; i < 200; ++i) { // the clock advances 200 times by 20 ms
            told.now += 20ms;
            progress.add(2);
        }
    }
    EXPECT_EQ(told.progress.front(), 100u);
    EXPECT_EQ(told.progress.back(), 500u) << "over";
    EXPECT_EQ(told.progress.size(), 32u) << "3 s after the first, ten a second, and the end";
}

TEST(AttachProgress, AttachmentsWithinOneSecondShowNothing)
{
    Told told;
    const auto programs = tracepoints(10);
    {
        AttachProgress progress(programs, told.listener, [&] { return told.now; });
        for (int i = 0; i < 10; ++i)
            progress.add(1);
    }
    EXPECT_THAT(told.progress, testing::IsEmpty());
}

} // namespace
} // namespace dt
