// Tests detection of offline CPUs from kernel announcements.
#include <gtest/gtest.h>

#include "libdtrace/loop/event_loop.hpp"

namespace dt {
namespace {

using namespace std::string_view_literals;

TEST(CpuEvents, AnnouncementsOfACpuGoingOfflineAreDetected)
{
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpu11\0ACTION=offline\0SUBSYSTEM=cpu\0"sv), 11);
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpu0"), 0);
}

TEST(CpuEvents, OtherAnnouncementsAreIgnored)
{
    EXPECT_EQ(offline_cpu("online@/devices/system/cpu/cpu1\0ACTION=online\0"sv), -1);
    EXPECT_EQ(offline_cpu("offline@/devices/system/memory/memory1\0"sv), -1);
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpufreq"), -1);
    EXPECT_EQ(offline_cpu(""), -1);
}

TEST(CpuEvents, NoCpuIsOfflineAtFirst)
{
    CpuEvents events;
    EXPECT_TRUE(events.gone().empty()); // not listening
    events.listen();
    EXPECT_TRUE(events.gone().empty());
}

} // namespace
} // namespace dt
