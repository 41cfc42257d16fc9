// Tests how counts in sampling windows are extrapolated to the gaps between the windows. In a gap the probe is not
// attached, so the traced program runs faster.
#include "libdtrace/cost/rate_correction.hpp"

#include <cmath>
#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "libdtrace/cost/cpu_speed.hpp"

namespace dt {
namespace {

// length of a sampling window and of the gap between two windows, in ns
constexpr double kWindowLength = 10e6, kGap = 490e6;

/// 97.5 % quantile of Student's t-distribution. Two differences of consecutive rates have 8/5 degrees of freedom; the
/// value is interpolated between 1 and 2 degrees, linearly in their reciprocal.
constexpr double kQuantileOfTwo = 4.30 + (1 / 1.6 - 1 / 2.0) / (1 - 1 / 2.0) * (12.71 - 4.30);

/// Returns how many calls a loop makes in a sampling window. A call takes `own` ns of work and `price` ns of tracing.
double calls_in_window(double own, double price)
{
    return kWindowLength / (own + price);
}

TEST(GapRateFactor, TheCostOfACallIsTheMedianOfItsMeasurements)
{
    RunningMedian price;
    EXPECT_EQ(price.middle(), 0);
    price.add(300); // the first measurement is slow, because the caches are cold
    EXPECT_EQ(price.middle(), 300);
    for (const double ns : {26, 28, 27, 9000, 25})
        price.add(ns);
    EXPECT_EQ(price.middle(), 28);
    EXPECT_EQ(price.middle(3), 27); // the median of 27, 9000 and 25, which are the last three measurements
    for (int i = 0; i < 31; ++i)
        price.add(20 + i % 2);
    EXPECT_LE(price.middle(), 21);
}

TEST(GapRateFactor, CostsScaleWithTheTimeOfAReferenceCall)
{
    CpuLatencyScale mood;
    EXPECT_EQ(mood.factor(165), 1); // factor 1: the CPU's speed is unknown, because no reference call was measured yet
    mood.add(0);                    // ignored: 0 means that the measuring thread got no CPU
    EXPECT_FALSE(mood.is_known());
    mood.add(220);
    EXPECT_NEAR(mood.factor(165), 220.0 / 165, 1e-9);
    EXPECT_EQ(mood.factor(0), 1); // factor 1: the costs were measured without the time of a reference call
    mood.add(10'000);             // this reference call was interrupted, so its time is limited
    EXPECT_EQ(mood.factor(165), CpuLatencyScale::kMaxSlowCore);
    for (int i = 0; i < 60; ++i)
        mood.add(165);
    EXPECT_NEAR(mood.factor(165), 1, 0.01); // by now the older measurements have almost no weight
}

TEST(GapRateFactor, SleepingBetweenCallsRaisesTheCostOfACall)
{
    GapRateFactor one;
    // the maximum cost is assumed, because no gap was measured yet
    EXPECT_EQ(one.cold_cache_factor(), GapRateFactor::kMaxCold);
    one.add_gap(kGap, kGap);
    EXPECT_EQ(one.cold_cache_factor(), GapRateFactor::kMaxCold);
    for (int i = 0; i < 60; ++i)
        one.add_gap(kGap, 0);
    EXPECT_NEAR(one.cold_cache_factor(), 1, 0.001);
    one.add_window(kWindowLength, 5000, 90);
    EXPECT_EQ(one.firings(), 5000);
}

TEST(GapRateFactor, TheLengthOfAWindowIsDerivedFromTheHitRate)
{
    // 10,400 firings occurred in a window. The counter was read twice, 5 ms apart: 10,000 firings were between the
    // readings, 400 before and after them. So the window was 5.2 ms long.
    EXPECT_NEAR(window_that_fired(5e6, 10'000, 10'400, 5e6, 9e6), 5.2e6, 1);
    EXPECT_EQ(window_that_fired(5e6, 10'000, 30'000, 5e6, 9e6), 9e6);
    // too few firings to compute the window's length from their rate
    EXPECT_EQ(window_that_fired(5e6, 10, 40, 5e6, 9e6), 7e6);
}

TEST(GapRateFactor, TheFirstWindowIsNotCorrected)
{
    GapRateFactor rate_factor;
    EXPECT_EQ(rate_factor.factor(100), 1);
    rate_factor.add_gap(kGap, 0);
    EXPECT_EQ(rate_factor.factor(100), 1);
    EXPECT_EQ(rate_factor.window_weight(kWindowLength, 50, 100), 50);
}

TEST(GapRateFactor, WithoutIdleTimeTheRateChangesByTheWholeCostOfTracing)
{
    GapRateFactor rate_factor;
    rate_factor.add_gap(kGap, 0);
    rate_factor.add_window(kWindowLength, calls_in_window(200, 100), 100);
    EXPECT_NEAR(rate_factor.factor(100), 1.5, 1e-9);
    // the correction factor for a window in which a firing costs 50 ns instead of 100 ns
    EXPECT_NEAR(rate_factor.factor(50), 1.25, 1e-9);
    EXPECT_NEAR(rate_factor.window_weight(kWindowLength, 50, 100), 1 + 49 * 1.5, 1e-6);
}

TEST(GapRateFactor, CostsThatFitTheIdleTimeDoNotChangeTheRate)
{
    GapRateFactor rate_factor;
    rate_factor.add_gap(kGap, kGap / 2);
    // The traced program makes one call every 400 ns. It is idle for half of the time, and tracing takes a quarter.
    rate_factor.add_window(kWindowLength, calls_in_window(400, 0), 100);
    EXPECT_EQ(rate_factor.factor(100), 1);
}

TEST(GapRateFactor, OnlyCostsBeyondTheIdleTimeReduceTheRate)
{
    // Without tracing, a call takes 250 ns: 200 ns of work and 50 ns idle. With tracing, a call takes 300 ns: 200 ns of
    // work and 100 ns of tracing.
    GapRateFactor rate_factor;
    rate_factor.add_gap(kGap, kGap / 5);
    rate_factor.add_window(kWindowLength, calls_in_window(200, 100), 100);
    EXPECT_NEAR(rate_factor.factor(100), 300.0 / 250, 1e-9);
}

TEST(GapRateFactor, TheSecondWindowCorrectsTheFactorOfTheFirst)
{
    GapRateFactor rate_factor;
    const double calls = calls_in_window(200, 100);
    double counted = 0;
    for (int i = 0; i < 2; ++i) {
        rate_factor.add_gap(kGap, 0);
        counted += calls * rate_factor.window_weight(kWindowLength, 50, 100);
        rate_factor.add_window(kWindowLength, calls, 100);
    }
    EXPECT_NEAR(counted, 2 * (calls + kGap / 200), 1);
}

TEST(GapRateFactor, TheRateBeforeTheFirstGapCorrectsTheFirstWindow)
{
    GapRateFactor rate_factor;
    rate_factor.add_before(10 * kWindowLength, 10 * calls_in_window(200, 100), 100);
    rate_factor.add_gap(kGap, 0);
    EXPECT_NEAR(rate_factor.window_weight(kWindowLength, 50, 100), 1 + 49 * 1.5, 1e-6);
    rate_factor.add_window(kWindowLength, calls_in_window(200, 100), 100);
    // The weight of a firing is unchanged, because the rate equals that before the gap.
    EXPECT_NEAR(rate_factor.window_weight(kWindowLength, 50, 100), 1 + 49 * 1.5, 1e-6);
}

TEST(GapRateFactor, TheSecondWindowReducesAFactorThatWasTooHigh)
{
    GapRateFactor rate_factor;
    // The traced program had a higher rate of firings before the gap than in the windows after it.
    rate_factor.add_before(10 * kWindowLength, 10 * calls_in_window(100, 100), 100);
    const double calls = calls_in_window(200, 100);
    double counted = 0;
    for (int i = 0; i < 2; ++i) {
        rate_factor.add_gap(kGap, 0);
        counted += calls * rate_factor.window_weight(kWindowLength, 50, 100);
        rate_factor.add_window(kWindowLength, calls, 100);
    }
    EXPECT_NEAR(counted, 2 * (calls + kGap / 200), 1);
}

TEST(GapRateFactor, AWindowWithoutHitsHasNoCorrection)
{
    GapRateFactor rate_factor;
    rate_factor.add_gap(kGap, 0);
    rate_factor.window_weight(kWindowLength, 50, 100);
    rate_factor.add_window(kWindowLength, 0, 100);
    rate_factor.window_weight(kWindowLength, 50, 100);
    rate_factor.add_window(kWindowLength, calls_in_window(200, 100), 100);
    const double more = rate_factor.factor(100);
    EXPECT_NEAR(rate_factor.window_weight(kWindowLength, 50, 100), 1 + 49 * more + 49 * (more - 1), 1e-6);
}

TEST(GapRateFactor, TheFactorIsBoundedAndOldWindowsLoseTheirWeight)
{
    GapRateFactor rate_factor;
    rate_factor.add_gap(kGap, 0);
    rate_factor.add_window(kWindowLength, calls_in_window(1, 1000), 1000);
    EXPECT_EQ(rate_factor.factor(1000), GapRateFactor::kMax);
    for (int i = 0; i < 40; ++i) {
        rate_factor.add_gap(kGap, 0);
        rate_factor.add_window(kWindowLength, calls_in_window(200, 100), 100);
    }
    EXPECT_NEAR(rate_factor.factor(100), 1.5, 0.01);
}

TEST(WindowSpread, EqualRatesGiveNoErrorAndOneWindowGivesTheMaximum)
{
    WindowSpread spread;
    EXPECT_EQ(spread.error(), 0);
    spread.add(500, 100);
    EXPECT_EQ(spread.error(), 500); // with only one window, the margin of error equals the whole count
    spread.add(1000, 200);
    EXPECT_EQ(spread.windows(), 2U);
    EXPECT_NEAR(spread.error(), 0, 1e-9);
}

TEST(WindowSpread, TheMarginOfErrorFollowsFromDifferencesOfConsecutiveRates)
{
    WindowSpread spread;
    spread.add(100, 100); // the first window has a rate of 1 firing per ns
    // The second window has 1.2 firings per ns. So the variance of a rate is 0.2^2 / 2, and that of the sum of firings
    // is 0.02 * 2 * 100^2.
    spread.add(120, 100);
    EXPECT_NEAR(spread.error(), 12.71 * 20, 1e-9);
    spread.add(100, 100); // the sum of firings has the variance (0.2^2 + 0.2^2) / 4 * 3 * 100^2
    EXPECT_NEAR(spread.error(), kQuantileOfTwo * std::sqrt(600.0), 1e-9);
}

TEST(WindowSpread, TheMarginOfErrorIncludesTheRateBeforeTheFirstWindow)
{
    WindowSpread spread;
    spread.begin(1);
    spread.add(120, 100);
    EXPECT_EQ(spread.windows(), 1U);
    EXPECT_EQ(spread.error(), 120); // with only one window, the margin of error equals the whole count
    // The sum of firings consists of two windows, because the first rate belongs to no window. Its variance is (0.2^2 +
    // 0.2^2) / 4 * 2 * 100^2.
    spread.add(100, 100);
    EXPECT_NEAR(spread.error(), kQuantileOfTwo * std::sqrt(400.0), 1e-9);
}

/// A process with 1000 firings per ms on average, whose rate varies by 20 %. `memory`: time constant of the variation
/// in ms.
class VaryingRate {
public:
    VaryingRate(std::mt19937& random, double memory) : random_(random), kept_(std::exp(-1 / memory)) {}

    double firings(int milliseconds)
    {
        double sum = 0;
        for (; milliseconds > 0; --milliseconds) {
            level_ = kept_ * level_ + std::sqrt(1 - kept_ * kept_) * normal_(random_);
            sum += 1000 * std::exp(0.2 * level_);
        }
        return sum;
    }

private:
    std::mt19937& random_;
    double kept_;
    std::normal_distribution<double> normal_;
    double level_ = normal_(random_);
};

/// Simulates 1,000 traces with `windows` sampling windows of 5 ms each. Returns in how many traces the true total is
/// within the estimated margin of error.
int totals_within_error(double memory, int windows)
{
    std::mt19937 random(1); // a fixed seed: every run gets equal random numbers
    std::uniform_int_distribution<int> gap(150, 250);
    int within = 0;
    for (int run = 0; run < 1000; ++run) {
        VaryingRate rate(random, memory);
        FiringsByCpuTime estimate;
        estimate.add_attached(20e6, rate.firings(20), 0);
        double missed = 0;
        for (int i = 0; i <= windows; ++i) {
            const int length = gap(random);
            missed += rate.firings(length);
            estimate.add_gap(length * 1e6);
            if (i < windows)
                estimate.add_attached(5e6, rate.firings(5), 0);
        }
        estimate.finish();
        within += std::abs(estimate.in_gaps() - missed) <= estimate.error();
    }
    return within;
}

TEST(FiringsByCpuTime, AtLeastNinetyFourOfAHundredTotalsAreWithinTheMarginOfError)
{
    for (const double memory : {1.0, 30.0, 3000.0})
        for (const int windows : {2, 4, 8})
            EXPECT_GE(totals_within_error(memory, windows), 940) << memory << " ms, " << windows << " windows";
}

TEST(WindowSpread, InMostRunsTheTotalIsWithinItsMarginOfError)
{
    std::mt19937 random(1); // a fixed seed: every run gets equal random numbers
    std::uniform_real_distribution<double> noise(0.7, 1.3);
    int within = 0;
    constexpr int kTotals = 2000;
    for (int total = 0; total < kTotals; ++total) {
        WindowSpread spread;
        double sum = 0;
        for (int window = 0; window < 4 + total % 8; ++window) {
            const double span = 400 + 20.0 * window, firings = noise(random) * span;
            spread.add(firings, span);
            sum += firings - span; // the true rate is 1 firing per ns
        }
        within += std::abs(sum) <= spread.error();
    }
    EXPECT_GT(within, kTotals * 92 / 100);
    EXPECT_LT(within, kTotals * 98 / 100); // the margin is a 95 % bound: if no total exceeded it, it would be too large
}

TEST(WindowSpread, TheLastWindowRepresentsNoTimeAfterTheEndOfTheTrace)
{
    EXPECT_EQ(part_after_end(1000, 900, 500), 0.2);
    EXPECT_EQ(part_after_end(1000, 1000, 500), 0);
    // The window represents the 500 ns until 1000, and the trace ends 100 ns later. So the fraction of this period
    // after the end of the trace is -100 / 500.
    EXPECT_EQ(part_after_end(1000, 1100, 500), -0.2);
    // at most 1, which stands for the whole period that the window represents
    EXPECT_EQ(part_after_end(1000, 100, 500), 1);
    EXPECT_EQ(part_after_end(1000, 100, 0), 0);
}

TEST(WindowSpread, TheErrorOfTheLastWindowIncludesTheTimeUntilTheEndOfTheTrace)
{
    WindowSpread spread;
    spread.add(100, 100);
    spread.add(120, 100);
    spread.extend(60, 50); // the sum of firings in the two windows has the variance 0.02 * (100^2 + 150^2)
    EXPECT_NEAR(spread.error(), 12.71 * std::sqrt(650.0), 1e-9);
}

TEST(FiringsByCpuTime, GapsHaveTheRateThatWindowsWouldHaveWithoutTracing)
{
    FiringsByCpuTime firings;
    // the program was attached all the time: 200 ns of CPU time per firing, of which tracing takes 50 ns
    firings.add_attached(100e6, 500'000, 50);
    EXPECT_EQ(firings.windows(), 0U);
    EXPECT_EQ(firings.in_gaps(), 0);
    firings.add_gap(300e6);
    firings.add_attached(5e6, 25'000, 50);
    EXPECT_NEAR(firings.in_gaps(), 300e6 / 150, 1);
    EXPECT_NEAR(firings.by_overhead(), 300e6 / 150 - 300e6 / 200, 1);
    firings.add_gap(60e6);
    firings.add_attached(5e6, 12'500, 0); // a window with 400 ns of CPU time per firing, none of it for tracing
    firings.add_gap(40e6);
    firings.finish();
    EXPECT_NEAR(firings.in_gaps(), 300e6 / 150 + 100e6 / 400, 1);
    EXPECT_EQ(firings.windows(), 2U);
    EXPECT_GT(firings.error(), 0);
}

TEST(FiringsByCpuTime, AWindowThatIsTooShortIsJoinedWithTheNextWindow)
{
    FiringsByCpuTime firings;
    firings.add_gap(100e6);
    firings.add_attached(1e6, 0, 0); // ignored: the traced program had a CPU for too short a time
    EXPECT_EQ(firings.in_gaps(), 0);
    firings.add_gap(100e6);
    firings.add_attached(4e6, 10'000, 0);
    EXPECT_NEAR(firings.in_gaps(), 200e6 * 10'000 / 5e6, 1);
    firings.add_gap(0);
    firings.finish();
    EXPECT_NEAR(firings.in_gaps(), 200e6 * 10'000 / 5e6, 1);
}

TEST(FiringsByCpuTime, TheTimeOfTracingInAWindowIsBounded)
{
    FiringsByCpuTime firings;
    firings.add_gap(8e6);
    // contradictory measurements: tracing would take more time than the whole window
    firings.add_attached(4e6, 10'000, 1000);
    EXPECT_NEAR(firings.in_gaps(), 8e6 * 10'000 / (4e6 / GapRateFactor::kMax), 1);
}

TEST(CpuPressure, IsReadFromTheLineOfTheFileThatBeginsWithSome)
{
    EXPECT_EQ(waited_for_cpus("some avg10=9.94 avg60=7.35 avg300=8.04 total=8804\n"
                              "full avg10=0.00 avg60=0.00 avg300=0.00 total=5\n"),
              8'804'000U);
    EXPECT_EQ(waited_for_cpus(""), 0U);
}

TEST(ProcessCpuTime, RemainsReadableAfterTheEndOfTheProcess)
{
    const pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        for (int i = 0; i < 100'000; ++i)
            getppid();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
    ProcessTime time;
    time.open(child);
    kill(child, SIGCONT);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (!time.is_open())
        GTEST_SKIP() << "no events of processes here";
    EXPECT_GT(time.read(), 1e6); // the child made 100,000 calls, and each takes at least 10 ns
    EXPECT_EQ(time.read(), time.read());
}

TEST(IdleTime, IsMeasuredPerCpu)
{
    const char* const stat = "cpu  10 0 10 700 60 0 5 0 0 0\n"
                             "cpu0 4 0 6 300 20 0 5 0 0 0\n"
                             "cpu2 6 0 4 400 40 0 0 0 0 0\n"
                             "intr 1 2 3\nctxt 5\n";
    EXPECT_EQ(idle_by_cpu(stat, 100), (std::vector<uint64_t>{3'200'000'000, 0, 4'400'000'000}));
    EXPECT_TRUE(idle_by_cpu("", 100).empty());
    EXPECT_FALSE(idle_by_cpu().empty()); // reads the idle times of this machine
}

} // namespace
} // namespace dt
