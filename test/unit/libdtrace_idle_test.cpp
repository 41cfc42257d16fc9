// Tests when a trace becomes idle. The tracer then sleeps until a BPF program wakes it or other work is due.
#include "libdtrace/trace/trace_impl.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

constexpr uint64_t kStartNs = 5 * kSecond, kQuiet = kStartNs + IdleState::kQuietNs;
constexpr uint64_t kLook = 100 * kMillisecond; // time between two reads of the buffers

/// Returns the state of a trace that was active at kStartNs.
IdleState active()
{
    IdleState rest;
    rest.note_activity(kStartNs);
    return rest;
}

TEST(IdleState, AnIdleTraceEnablesTheReaderWakeup)
{
    IdleState rest = active();
    rest.note_inactivity(kQuiet - 1);
    EXPECT_FALSE(rest.wants_wakeup());
    rest.note_inactivity(kQuiet);
    EXPECT_TRUE(rest.wants_wakeup());
}

TEST(IdleState, ATraceReadsAgainBeforeBecomingIdle)
{
    IdleState rest = active();
    rest.note_inactivity(kQuiet);
    EXPECT_FALSE(rest.is_idle());
    // A request for a wakeup makes the trace idle only after one more read: a program may have sent a record just
    // before it saw the request.
    rest.note_inactivity(kQuiet + IdleState::kWakeupRequestedNs - 1);
    EXPECT_FALSE(rest.is_idle());
    rest.note_inactivity(kQuiet + kLook);
    EXPECT_TRUE(rest.is_idle());
    EXPECT_TRUE(rest.wants_wakeup());
}

TEST(IdleState, ARecordInTheLastReadKeepsTheTraceActive)
{
    IdleState rest = active();
    rest.note_inactivity(kQuiet);
    rest.note_activity(kQuiet + kLook);
    EXPECT_FALSE(rest.wants_wakeup());
    rest.note_inactivity(kQuiet + kLook + IdleState::kQuietNs - 1);
    EXPECT_FALSE(rest.wants_wakeup());
    rest.note_inactivity(kQuiet + kLook + IdleState::kQuietNs);
    EXPECT_TRUE(rest.wants_wakeup());
}

TEST(IdleState, AnIdleTraceWithoutRecordsStaysIdle)
{
    IdleState rest = active();
    for (uint64_t now = kQuiet; now < 60 * kSecond; now += kSecond)
        rest.note_inactivity(now);
    EXPECT_TRUE(rest.is_idle());
    rest.note_activity(60 * kSecond);
    EXPECT_FALSE(rest.is_idle());
}

TEST(IdleState, ASingleRecordMakesTheTraceActiveOnlyForAMoment)
{
    IdleState rest = active();
    rest.note_inactivity(kQuiet);
    rest.note_inactivity(kQuiet + kLook);
    rest.note_activity(60 * kSecond);
    EXPECT_TRUE(rest.wants_wakeup());
    rest.note_inactivity(60 * kSecond + kLook);
    EXPECT_TRUE(rest.is_idle());
}

TEST(IdleState, FurtherRecordsKeepTheTraceActive)
{
    IdleState rest = active();
    rest.note_inactivity(kQuiet);
    rest.note_inactivity(kQuiet + kLook);
    rest.note_activity(60 * kSecond);
    rest.note_activity(60 * kSecond + kLook);
    EXPECT_FALSE(rest.wants_wakeup());
    rest.note_inactivity(60 * kSecond + 2 * kLook);
    EXPECT_TRUE(rest.wants_wakeup());
}

} // namespace
} // namespace dt
