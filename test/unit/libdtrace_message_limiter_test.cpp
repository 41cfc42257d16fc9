// Tests the rate limit for repeated messages.
#include <gtest/gtest.h>

#include "libdtrace/output/messages.hpp"

namespace dt::consume {
namespace {

TEST(MessageLimiterTest, TheFirstMessagesOfAPeriodArePrinted)
{
    MessageLimiter fault;
    EXPECT_TRUE(fault.admits(2));
    EXPECT_TRUE(fault.admits(2));
    EXPECT_FALSE(fault.admits(2));
    EXPECT_FALSE(fault.admits(2, 40));
    EXPECT_EQ(fault.end_period(), 41u);
    EXPECT_FALSE(fault.admits(2));
    EXPECT_EQ(fault.end_period(), 1u);
    EXPECT_EQ(fault.all_counted(), 42u);
}

TEST(MessageLimiterTest, MessagesArePrintedAgainAfterAQuietPeriod)
{
    MessageLimiter fault;
    fault.admits(1);
    fault.admits(1);
    EXPECT_EQ(fault.end_period(), 1u);
    EXPECT_EQ(fault.end_period(), 0u);
    EXPECT_TRUE(fault.admits(1));
    EXPECT_FALSE(fault.admits(1));
    EXPECT_EQ(fault.all_counted(), 2u);
}

TEST(MessageLimiterTest, APeriodLastsTenSecondsAndStatesItsLength)
{
    LimiterPeriod period;
    period.begin(5 * kSecond);
    EXPECT_FALSE(period.is_over(15 * kSecond - 1));
    EXPECT_TRUE(period.is_over(15 * kSecond));
    EXPECT_EQ(period.end(16 * kSecond + kSecond / 3), " in the last 11 s");
    EXPECT_FALSE(period.is_over(26 * kSecond));
    EXPECT_TRUE(period.is_over(27 * kSecond));
}

} // namespace
} // namespace dt::consume
