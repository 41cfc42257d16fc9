// Tests the detection of CPUs that go offline, from the kernel's uevent messages.
#include <gtest/gtest.h>

#include "libdtrace/loop/event_loop.hpp"

namespace dt {
namespace {

using namespace std::string_view_literals;

TEST(CpuEvents, AMessageAboutACpuGoingOfflineIsDetected)
{
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpu11\0ACTION=offline\0SUBSYSTEM=cpu\0"sv), 11);
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpu0"), 0);
}

TEST(CpuEvents, OtherMessagesAboutCpusAreIgnored)
{
    EXPECT_EQ(offline_cpu("online@/devices/system/cpu/cpu1\0ACTION=online\0"sv), -1);
    EXPECT_EQ(offline_cpu("offline@/devices/system/memory/memory1\0"sv), -1);
    EXPECT_EQ(offline_cpu("offline@/devices/system/cpu/cpufreq"), -1);
    EXPECT_EQ(offline_cpu(""), -1);
}

TEST(CpuEvents, NoCpuIsReportedBeforeListeningAndWithoutMessages)
{
    CpuEvents events;
    EXPECT_TRUE(events.gone().empty()); // no events yet, because listen() was not called
    events.listen();
    EXPECT_TRUE(events.gone().empty());
}

} // namespace
} // namespace dt
