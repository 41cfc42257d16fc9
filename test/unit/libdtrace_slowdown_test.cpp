#include "libdtrace/trace/slowdown.hpp"

#include <gtest/gtest.h>

#include "libdtrace/trace/idle_time.hpp"

namespace dt {
namespace {

constexpr double kWindow = 10e6, kGap = 490e6; // ns

/// A loop that has work of its own for so many ns a call; what fits into a window at this price.
double calls_in_window(double own, double price)
{
    return kWindow / (own + price);
}

TEST(Slowdown, APriceIsThatOfMostLooks)
{
    Steady price;
    EXPECT_EQ(price.middle(), 0);
    price.add(300); // cold
    EXPECT_EQ(price.middle(), 300);
    for (const double ns : {26, 28, 27, 9000, 25})
        price.add(ns);
    EXPECT_EQ(price.middle(), 28);
    EXPECT_EQ(price.middle(3), 27); // 27, 9000, 25
    for (int i = 0; i < 31; ++i)
        price.add(20 + i % 2);
    EXPECT_LE(price.middle(), 21);
}

TEST(Slowdown, PricesFollowWhatACallTakes)
{
    Mood mood;
    EXPECT_EQ(mood.factor(165), 1); // nothing is known
    mood.add(0);                    // nobody could go there
    EXPECT_FALSE(mood.is_known());
    mood.add(220);
    EXPECT_NEAR(mood.factor(165), 220.0 / 165, 1e-9);
    EXPECT_EQ(mood.factor(0), 1); // of prices that know no call
    mood.add(10'000);             // interrupted
    EXPECT_EQ(mood.factor(165), Mood::kMostDear);
    for (int i = 0; i < 60; ++i)
        mood.add(165);
    EXPECT_NEAR(mood.factor(165), 1, 0.01); // former ones fade
}

TEST(Slowdown, WhoSleepsBetweenCallsPaysMoreForEach)
{
    Slowdown one;
    EXPECT_EQ(one.coldness(), Slowdown::kMostCold); // nothing is known
    one.add_gap(kGap, kGap);
    EXPECT_EQ(one.coldness(), Slowdown::kMostCold);
    for (int i = 0; i < 60; ++i)
        one.add_gap(kGap, 0);
    EXPECT_NEAR(one.coldness(), 1, 0.001);
    one.add_window(kWindow, 5000, 90);
    EXPECT_EQ(one.firings(), 5000);
}

TEST(Slowdown, AWindowIsAsLongAsItsFiringsSay)
{
    // 5 ms between the two, 10,000 firings; 100 before the first, 300 behind the second.
    EXPECT_NEAR(window_that_fired(5e6, 10'000, 10'400, 5e6, 9e6), 5.2e6, 1);
    EXPECT_EQ(window_that_fired(5e6, 10'000, 30'000, 5e6, 9e6), 9e6);
    EXPECT_EQ(window_that_fired(5e6, 10, 40, 5e6, 9e6), 7e6); // too few
}

TEST(Slowdown, NothingIsKnownAtFirst)
{
    Slowdown slowdown;
    EXPECT_EQ(slowdown.factor(100), 1);
    slowdown.add_gap(kGap, 0);
    EXPECT_EQ(slowdown.factor(100), 1);
    EXPECT_EQ(slowdown.stands_for(kWindow, 50, 100), 50);
}

TEST(Slowdown, WhatWaitsForNothingCallsAsOftenAsItHasTime)
{
    Slowdown slowdown;
    slowdown.add_gap(kGap, 0);
    slowdown.add_window(kWindow, calls_in_window(200, 100), 100);
    EXPECT_NEAR(slowdown.factor(100), 1.5, 1e-9);
    EXPECT_NEAR(slowdown.factor(50), 1.25, 1e-9); // of a window to come that costs less
    EXPECT_NEAR(slowdown.stands_for(kWindow, 50, 100), 1 + 49 * 1.5, 1e-6);
}

TEST(Slowdown, IdleTimeIsTakenFirst)
{
    Slowdown slowdown;
    slowdown.add_gap(kGap, kGap / 2);
    slowdown.add_window(kWindow, calls_in_window(400, 0), 100); // paced: a quarter of the window is tracing's
    EXPECT_EQ(slowdown.factor(100), 1);
}

TEST(Slowdown, WhatIdleTimeDoesNotPayIsMissing)
{
    // 200 ns of 250 are work without tracing; of 300 there is no time for the 100 that tracing takes.
    Slowdown slowdown;
    slowdown.add_gap(kGap, kGap / 5);
    slowdown.add_window(kWindow, calls_in_window(200, 100), 100);
    EXPECT_NEAR(slowdown.factor(100), 300.0 / 250, 1e-9);
}

TEST(Slowdown, TheSecondWindowMakesUpForTheFirst)
{
    Slowdown slowdown;
    const double calls = calls_in_window(200, 100);
    double counted = 0;
    for (int i = 0; i < 2; ++i) {
        slowdown.add_gap(kGap, 0);
        counted += calls * slowdown.stands_for(kWindow, 50, 100);
        slowdown.add_window(kWindow, calls, 100);
    }
    EXPECT_NEAR(counted, 2 * (calls + kGap / 200), 1);
}

TEST(Slowdown, WhatCameBeforeWindowsTellsOfTheFirstGap)
{
    Slowdown slowdown;
    slowdown.add_before(10 * kWindow, 10 * calls_in_window(200, 100), 100);
    slowdown.add_gap(kGap, 0);
    EXPECT_NEAR(slowdown.stands_for(kWindow, 50, 100), 1 + 49 * 1.5, 1e-6);
    slowdown.add_window(kWindow, calls_in_window(200, 100), 100);
    EXPECT_NEAR(slowdown.stands_for(kWindow, 50, 100), 1 + 49 * 1.5, 1e-6); // there is nothing to make up for
}

TEST(Slowdown, TheSecondWindowTakesBackWhatTheFirstStoodForTooMuch)
{
    Slowdown slowdown;
    slowdown.add_before(10 * kWindow, 10 * calls_in_window(100, 100), 100); // busier than what follows
    const double calls = calls_in_window(200, 100);
    double counted = 0;
    for (int i = 0; i < 2; ++i) {
        slowdown.add_gap(kGap, 0);
        counted += calls * slowdown.stands_for(kWindow, 50, 100);
        slowdown.add_window(kWindow, calls, 100);
    }
    EXPECT_NEAR(counted, 2 * (calls + kGap / 200), 1);
}

TEST(Slowdown, AQuietGapIsNotMadeUpFor)
{
    Slowdown slowdown;
    slowdown.add_gap(kGap, 0);
    slowdown.stands_for(kWindow, 50, 100);
    slowdown.add_window(kWindow, 0, 100);
    slowdown.stands_for(kWindow, 50, 100);
    slowdown.add_window(kWindow, calls_in_window(200, 100), 100);
    const double more = slowdown.factor(100);
    EXPECT_NEAR(slowdown.stands_for(kWindow, 50, 100), 1 + 49 * more + 49 * (more - 1), 1e-6);
}

TEST(Slowdown, IsBoundedAndForgets)
{
    Slowdown slowdown;
    slowdown.add_gap(kGap, 0);
    slowdown.add_window(kWindow, calls_in_window(1, 1000), 1000);
    EXPECT_EQ(slowdown.factor(1000), Slowdown::kMost);
    for (int i = 0; i < 40; ++i) {
        slowdown.add_gap(kGap, 0);
        slowdown.add_window(kWindow, calls_in_window(200, 100), 100);
    }
    EXPECT_NEAR(slowdown.factor(100), 1.5, 0.01);
}

TEST(IdleTime, IsOfEachCpu)
{
    const char* const stat = "cpu  10 0 10 700 60 0 5 0 0 0\n"
                             "cpu0 4 0 6 300 20 0 5 0 0 0\n"
                             "cpu2 6 0 4 400 40 0 0 0 0 0\n"
                             "intr 1 2 3\nctxt 5\n";
    EXPECT_EQ(idle_by_cpu(stat, 100), (std::vector<uint64_t>{3'200'000'000, 0, 4'400'000'000}));
    EXPECT_TRUE(idle_by_cpu("", 100).empty());
    EXPECT_FALSE(idle_by_cpu().empty()); // of this machine
}

} // namespace
} // namespace dt
