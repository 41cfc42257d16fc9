// Tests when a trace may become idle.
#include "libdtrace/trace/trace_impl.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

constexpr uint64_t kBegin = 5 * kSecond, kQuiet = kBegin + Rest::kQuietNs;
constexpr uint64_t kLook = 100 * kMillisecond; // from one read to the next

/// Returns an idle state that was active at kBegin.
Rest active()
{
    Rest rest;
    rest.came(kBegin);
    return rest;
}

TEST(Rest, IdleTracesEnableTheReaderWakeup)
{
    Rest rest = active();
    rest.found_nothing(kQuiet - 1);
    EXPECT_FALSE(rest.asks());
    rest.found_nothing(kQuiet);
    EXPECT_TRUE(rest.asks());
}

TEST(Rest, ATraceReadsAgainBeforeBecomingIdle)
{
    Rest rest = active();
    rest.found_nothing(kQuiet);
    EXPECT_FALSE(rest.rests());
    rest.found_nothing(kQuiet + Rest::kAskedNs - 1); // a program may have sent before it saw the request
    EXPECT_FALSE(rest.rests());
    rest.found_nothing(kQuiet + kLook);
    EXPECT_TRUE(rest.rests());
    EXPECT_TRUE(rest.asks());
}

TEST(Rest, RecordsInTheFinalReadPreventSleep)
{
    Rest rest = active();
    rest.found_nothing(kQuiet);
    rest.came(kQuiet + kLook);
    EXPECT_FALSE(rest.asks());
    rest.found_nothing(kQuiet + kLook + Rest::kQuietNs - 1);
    EXPECT_FALSE(rest.asks());
    rest.found_nothing(kQuiet + kLook + Rest::kQuietNs);
    EXPECT_TRUE(rest.asks());
}

TEST(Rest, IdlenessContinuesWithoutRecords)
{
    Rest rest = active();
    for (uint64_t now = kQuiet; now < 60 * kSecond; now += kSecond)
        rest.found_nothing(now);
    EXPECT_TRUE(rest.rests());
    rest.came(60 * kSecond);
    EXPECT_FALSE(rest.rests());
}

TEST(Rest, ASingleRecordAllowsIdlenessAgain)
{
    Rest rest = active();
    rest.found_nothing(kQuiet);
    rest.found_nothing(kQuiet + kLook);
    rest.came(60 * kSecond);
    EXPECT_TRUE(rest.asks());
    rest.found_nothing(60 * kSecond + kLook);
    EXPECT_TRUE(rest.rests());
}

TEST(Rest, FurtherRecordsKeepTheTraceAwake)
{
    Rest rest = active();
    rest.found_nothing(kQuiet);
    rest.found_nothing(kQuiet + kLook);
    rest.came(60 * kSecond);
    rest.came(60 * kSecond + kLook);
    EXPECT_FALSE(rest.asks());
    rest.found_nothing(60 * kSecond + 2 * kLook);
    EXPECT_TRUE(rest.asks());
}

} // namespace
} // namespace dt
