// Tests the sampling windows of -x cost, in which firings are timed: which programs have windows, and how many firings
// a window represents.
#include "libdtrace/cost/sampling_windows.hpp"

#include <sched.h>

#include <cmath>

#include <gtest/gtest.h>

namespace dt {
namespace {

constexpr double kRound = 5e8, kWindow = kRound / WindowedCounts::kWeight; // lengths of a round and of a window, in ns

/// Simulates rounds with `rate` firings per second. Each round has one window, from whose count the number of firings
/// in the round is extrapolated.
void spend(WindowedCounts& book, int rounds, double rate)
{
    for (int i = 0; i < rounds; ++i) {
        if (book.is_sampled())
            book.add_window(kWindow);
        // estimated number of firings in the round
        book.end_round(kRound, rate * kRound * 1e-9);
    }
}

TEST(SamplingWindows, HitsOfRareProbesAreAllCounted)
{
    WindowedCounts book;
    spend(book, 10, WindowedCounts::kLowRate * 0.9);
    EXPECT_FALSE(book.is_sampled());
    const consume::SampledCount estimate = book.estimate(1e6);
    EXPECT_EQ(estimate.factor, 1);
    EXPECT_EQ(estimate.error, 0);
}

TEST(SamplingWindows, FrequentProbesAreSampledUntilTheyAreRareAgain)
{
    WindowedCounts book;
    spend(book, 1, 1e6);
    EXPECT_TRUE(book.is_sampled());
    spend(book, 5, WindowedCounts::kLowRate * 0.8);
    EXPECT_TRUE(book.is_sampled());
    spend(book, 1, WindowedCounts::kLowRate * 0.4);
    EXPECT_FALSE(book.is_sampled());
}

TEST(SamplingWindows, TheEstimateWeightsWindowsByTheirLength)
{
    WindowedCounts book;
    spend(book, 1, 1e6);
    book.add_window(2 * kWindow); // the window has twice the planned length, because the tracer was late
    book.end_round(kRound, 1e6);
    EXPECT_NEAR(book.estimate(0).factor, 0.5, 1e-9);
    book.add_window(kWindow); // a window of the planned length follows
    book.end_round(kRound, 0.5e6);
    EXPECT_NEAR(book.estimate(0).factor, 1e6 / 1.5e6, 1e-9);
    // The factor half a round later, without another window.
    EXPECT_NEAR(book.estimate(kRound / 2).factor, 1e6 / 1.5e6 * 1.25, 1e-9);
    book.add_window(kWindow);
    EXPECT_NEAR(book.estimate(kRound / 2).factor, 1e6 / 1.5e6, 1e-9);
}

TEST(SamplingWindows, DifferencesBetweenWindowsDetermineTheMarginOfError)
{
    WindowedCounts same, other;
    spend(same, 5, 1e6);
    EXPECT_NEAR(same.estimate(0).error, 0, 1e-9);
    spend(other, 1, 1e6);
    for (int i = 0; i < 8; ++i)
        spend(other, 1, i % 2 ? 2e6 : 1e6);
    // The rates of the windows deviate by 0.5 from their mean of 1.5. So the relative error is 0.5 / 1.5 divided by the
    // square root of 7, the number of windows minus one.
    EXPECT_NEAR(other.estimate(0).error, 1.0 / 3 / std::sqrt(7), 1e-3);
}

TEST(PollInterval, AdaptsToALowHitRate)
{
    LowRateInterval calm;
    uint64_t now = kSecond;
    calm.saw(0, kSecond, now);
    EXPECT_EQ(calm.lasts(now), 0U);
    calm.saw(LowRateInterval::kLittle * 3.9, 4 * kSecond, now += 4 * kSecond);
    EXPECT_EQ(calm.lasts(now), 2 * kSecond);
    calm.saw(0, 96 * kSecond, now += 96 * kSecond);
    EXPECT_EQ(calm.lasts(now), LowRateInterval::kMax);
    calm.saw(LowRateInterval::kLittle * 1.1, kSecond, now += kSecond);
    EXPECT_EQ(calm.lasts(now), 0U);
}

TEST(CpuSpeeds, ASecondQuerySoonAfterTheFirstReturnsTheSameValue)
{
    CpuSpeeds cpu_speeds;
    constexpr uint64_t kNow = 10'000'000'000, kHolds = 400'000'000, kLater = 399'000'000;
    const double first = cpu_speeds.on(0, kNow, kHolds);
    EXPECT_EQ(cpu_speeds.on(0, kNow, kHolds), first);
    EXPECT_EQ(cpu_speeds.on(0, kNow + kLater, kHolds), first);
    EXPECT_EQ(cpu_speeds.on(CPU_SETSIZE, kNow, kHolds), 0) << "nobody may go there";
}

} // namespace
} // namespace dt
