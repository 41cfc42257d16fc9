// Tests when the tracer replaces a late tick of a timer: it requests another tick by an additional event. In these
// tests that event never fires. A request is visible as a changed limit of the tick.
#include "probes/attach/missed_ticks.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

namespace dt::probes {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kNoLimit = ~uint64_t{0};

class MissedTicks : public testing::Test {
protected:
    MissedTicks() : clock_(tick_, kSecond, [this](int, uint64_t) { return open(); })
    {
        clock_.begin(0);
        began_ = MissedTick::now();
    }

    /// Opens a perf event of this process that can be enabled and disabled.
    int open()
    {
        ++opened_;
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_DUMMY;
        attr.disabled = 1;
        attr.exclude_kernel = 1;
        return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
    }
    void look(int64_t after) { clock_.check(began_ + after); }

    volatile dt_tick tick_{0, kNoLimit};
    int opened_ = 0;
    MissedTick clock_;
    int64_t began_ = 0;
};

TEST_F(MissedTicks, ATickIsNotRequestedBeforeItIsLate)
{
    look(kSecond / 2);
    look(kSecond);
    EXPECT_EQ(opened_, 0);
    tick_.ran = 1;
    look(kSecond + kSecond / 2);
    EXPECT_EQ(opened_, 0);
    EXPECT_EQ(tick_.limit, kNoLimit);
}

TEST_F(MissedTicks, ALateTickIsRequestedAgain)
{
    look(kSecond + kSecond / 10);
    EXPECT_EQ(opened_, 1);
    EXPECT_EQ(tick_.limit, 1u);
    look(kSecond + kSecond / 5); // no new request is made, because the requested tick has not run yet
    EXPECT_EQ(tick_.limit, 1u);
    tick_.ran = 1;
    look(kSecond + kSecond / 4);
    EXPECT_EQ(tick_.limit, kNoLimit);
    tick_.ran = 2;
    look(2 * kSecond + kSecond / 4);
    EXPECT_EQ(tick_.limit, kNoLimit);
    EXPECT_EQ(opened_, 1);
}

TEST_F(MissedTicks, OfManyLateTicksOnlyOneIsRequested)
{
    look(7 * kSecond + kSecond / 10);
    EXPECT_EQ(tick_.limit, 1u);
    tick_.ran = 1;
    look(7 * kSecond + kSecond / 5);
    EXPECT_EQ(tick_.limit, kNoLimit);
    look(7 * kSecond + kSecond / 2);
    EXPECT_EQ(tick_.limit, kNoLimit);
    look(8 * kSecond + kSecond / 10); // tick 8 is late and is requested
    EXPECT_EQ(tick_.limit, 2u);
}

TEST_F(MissedTicks, ATickThatArrivesBeforeItsRequestIsNotRequestedAgain)
{
    tick_.ran = 3;
    look(3 * kSecond + kSecond / 10);
    EXPECT_EQ(opened_, 0);
}

TEST_F(MissedTicks, TheNextCheckIsDueWhenTheNextTickIsLate)
{
    const auto until_tick_is_late = [&](int64_t after) { return clock_.until_tick_is_late(began_ + after); };
    EXPECT_GT(until_tick_is_late(0), kSecond);
    EXPECT_LT(until_tick_is_late(0), 2 * kSecond);
    tick_.ran = 1;
    EXPECT_GT(until_tick_is_late(kSecond), kSecond);
    const int64_t late = until_tick_is_late(0) - 1; // at this moment the tick does not yet count as late
    look(late);
    EXPECT_EQ(opened_, 0);
    look(late + 2 * kSecond);
    EXPECT_EQ(opened_, 1);
    // a late tick was just requested, so the next check is due immediately
    EXPECT_EQ(until_tick_is_late(late + 2 * kSecond), 0);
}

TEST_F(MissedTicks, ReliableTicksAreCheckedLessOften)
{
    const auto until_tick_is_late = [&](int64_t ticks) {
        tick_.ran = static_cast<uint64_t>(ticks);
        return clock_.until_tick_is_late(began_ + ticks * kSecond);
    };
    constexpr int64_t kBetween = kSecond + kSecond / 2;
    EXPECT_LT(until_tick_is_late(15), kBetween);
    EXPECT_GT(until_tick_is_late(16), kBetween);
    EXPECT_LT(until_tick_is_late(16), 2 * kSecond + kSecond / 10);
    look(17 * kSecond + kSecond / 10); // tick 17 is late and is requested, although ticks are checked rarely
    EXPECT_EQ(tick_.limit, 17u);
    tick_.ran = 17;
    look(17 * kSecond + kSecond / 5);
    EXPECT_LT(until_tick_is_late(18), kBetween);
    EXPECT_GT(until_tick_is_late(32), kBetween);
}

} // namespace
} // namespace dt::probes
