// Tests waiting until running BPF programs have ended. It moves the calling thread from CPU to CPU, and must restore
// its affinity.
#include "libdtrace/trace/program_set.hpp"

#include <gtest/gtest.h>
#include <sched.h>

namespace dt {
namespace {

cpu_set_t allowed()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

TEST(Quiescence, TheCpuAffinityOfTheThreadIsRestored)
{
    const cpu_set_t before = allowed();
    wait_for_programs(false);
    const cpu_set_t after = allowed();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Quiescence, APinnedThreadStaysOnItsCpus)
{
    const cpu_set_t before = allowed();
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    wait_for_programs(false);
    const cpu_set_t after = allowed();
    sched_setaffinity(0, sizeof before, &before);
    EXPECT_TRUE(CPU_EQUAL(&one, &after));
}

} // namespace
} // namespace dt
