// Tests the governor of -x maxcost, which chooses sampling rates and windows so that the cost stays within the limit.
#include "libdtrace/cost/governor.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

constexpr double kMillion = 1e6;

/// Returns how many CPUs the programs (`loads`) take at these sampling rates.
double cost_of(const std::vector<ProgramLoad>& loads, const std::vector<SamplingRate>& rates)
{
    double sum = 0;
    for (std::size_t i = 0; i < loads.size(); ++i)
        sum += loads[i].rate * 1e-9 * rates[i].share * firing_ns(loads[i].outside, loads[i].program, rates[i].every);
    return sum;
}

TEST(Governor, ProgramsWithinTheCostLimitAreNotThrottled)
{
    Governor governor(0.1, 1);
    const std::vector<ProgramLoad> loads{{.rate = kMillion, .program = 20, .outside = 50, .may_sample = true}};
    EXPECT_EQ(governor.decide(loads, 0, 1), std::vector<SamplingRate>{{}});
}

TEST(Governor, TheProgramsWithTheHighestCostAreSampled)
{
    // Two programs, each with 1e5 firings per second and a hook overhead of 100 ns, which takes 0.01 CPUs. The programs
    // themselves take 0.2 and 0.001 CPUs.
    const std::vector<ProgramLoad> loads{{.rate = 1e5, .program = 2000, .outside = 100, .may_sample = true},
                                         {.rate = 1e5, .program = 10, .outside = 100, .may_sample = true}};
    const std::vector<SamplingRate> rates = rates_within(loads, 0.05);
    EXPECT_GE(rates[0].every, 7u); // executing every seventh firing reduces 0.2 CPUs to about 0.029
    EXPECT_LE(rates[0].every, 8u);
    EXPECT_EQ(rates[1], SamplingRate{});
    EXPECT_LE(cost_of(loads, rates), 0.05);
}

TEST(Governor, ProgramsWithTooHighHookOverheadAreDetachedPartOfTheTime)
{
    const std::vector<ProgramLoad> loads{{.rate = 10 * kMillion, .program = 60, .outside = 80, .may_sample = true}};
    for (const double budget : {0.01, 0.02, 0.1, 0.5}) {
        const std::vector<SamplingRate> rates = rates_within(loads, budget);
        EXPECT_LT(rates[0].share, 1);
        EXPECT_LE(cost_of(loads, rates), budget * 1.001);
        EXPECT_GE(cost_of(loads, rates), budget * 0.9);
    }
}

TEST(Governor, ProgramsWithALowCostPerHitAreDetachedInsteadOfSampled)
{
    const std::vector<ProgramLoad> loads{{.rate = 10 * kMillion, .program = 26, .outside = 67, .may_sample = true}};
    const std::vector<SamplingRate> rates = rates_within(loads, 0.02);
    EXPECT_EQ(rates[0].every, 1u);
    EXPECT_NEAR(cost_of(loads, rates), 0.02, 1e-5);
}

TEST(Governor, TheProbesOfAnEntryReturnPairAreThrottledTogether)
{
    const std::vector<ProgramLoad> loads{{.rate = kMillion, .program = 100, .outside = 100, .keeps_state = true},
                                         {.rate = kMillion, .program = 1, .outside = 1, .keeps_state = true},
                                         {.rate = 10, .program = 100, .outside = 100, .may_sample = true}};
    const std::vector<SamplingRate> rates = rates_within(loads, 0.02);
    EXPECT_EQ(rates[0].share, 0);
    EXPECT_EQ(rates[1].share, 0);
    EXPECT_EQ(rates[2], SamplingRate{});
}

TEST(Governor, ProgramsWithVariablesAreNotThrottledWithinTheLimit)
{
    const std::vector<ProgramLoad> loads{{.rate = 1000, .program = 1000, .outside = 1000, .keeps_state = true},
                                         {.rate = 10 * kMillion, .program = 60, .outside = 80, .may_sample = true}};
    const std::vector<SamplingRate> rates = rates_within(loads, 0.02);
    EXPECT_EQ(rates[0], SamplingRate{});
    EXPECT_LT(rates[1].share, 0.05);
}

TEST(Governor, SamplingRatesFallImmediatelyAndRiseInSteps)
{
    Governor governor(0.02, 1);
    std::vector<ProgramLoad> loads{{.rate = 1e5, .program = 2000, .outside = 10, .may_sample = true}};
    const uint64_t many = governor.decide(loads, 0, 0.1)[0].every;
    EXPECT_GE(many, 12u);
    loads[0].rate = 10;
    // the sampling rate is not raised, because it was changed too recently
    EXPECT_EQ(governor.decide(loads, 0, 0.1)[0].every, many);
    EXPECT_EQ(governor.decide(loads, 0, 1)[0].every, many / 2);
    for (int i = 0; i < 10; ++i)
        governor.decide(loads, 0, 1);
    EXPECT_EQ(governor.rates()[0], SamplingRate{});
}

TEST(Governor, CpuTimeThatTheTracerItselfUsesCountsTowardsTheLimit)
{
    const std::vector<ProgramLoad> loads{{.rate = 1e5, .program = 2000, .outside = 10, .may_sample = true}};
    Governor idle(0.1, 1), busy(0.1, 1);
    EXPECT_LT(idle.decide(loads, 0, 1)[0].every, busy.decide(loads, 0.07, 1)[0].every);
}

TEST(Governor, WindowsAreLongEnoughToContainEntryReturnPairs)
{
    EXPECT_EQ(fitted_window(kLongestWindow, 1000, 999), kLongestWindow / 2);
    EXPECT_EQ(fitted_window(kShortestPairWindow, 1000, 1000), kShortestPairWindow);
    EXPECT_EQ(fitted_window(kShortestPairWindow, 1000, 996), kShortestPairWindow);
    EXPECT_EQ(fitted_window(kShortestPairWindow, 1000, 990), 2 * kShortestPairWindow);
    EXPECT_EQ(fitted_window(kLongestWindow, 1000, 100), kLongestWindow);
}

TEST(Governor, FewPairsOrVeryLongPairsDoNotChangeTheWindow)
{
    EXPECT_EQ(fitted_window(kLongestWindow, 100, 100), kLongestWindow);
    // these counts of entry/return pairs are invalid, because more pairs ended than began
    EXPECT_EQ(fitted_window(kLongestWindow, 1000, 2000), kLongestWindow);
}

} // namespace
} // namespace dt
