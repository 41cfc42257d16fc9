// Tests the lookup of CPU events (hardware counters) by their names in the processor's manual. The processor in the
// test is not this machine's.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <linux/perf_event.h>

#include <cstdlib>
#include <set>
#include <string>

#include "libdtrace/kernel/tracefs.hpp"

namespace dt {
namespace {

class ProcessorEventsOfSkylake : public testing::Test {
protected:
    void SetUp() override
    {
        setenv("LIBPFM_FORCE_PMU", "skl", 1);
        if (!dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL))
            GTEST_SKIP() << "libpfm4 is not installed";
    }
};

TEST_F(ProcessorEventsOfSkylake, EventsHaveTheCodesOfTheManual)
{
    // From Intel's manual, volume 3B: INST_RETIRED.ANY_P is event C0H with umask 00H; MEM_INST_RETIRED.ALL_LOADS is
    // event D0H with umask 81H.
    const auto instructions = processor_events().find("inst_retired.any_p"),
               loads = processor_events().find("mem_inst_retired.all_loads");
    ASSERT_TRUE(instructions && loads);
    EXPECT_EQ(instructions->type, PERF_TYPE_RAW);
    EXPECT_EQ(instructions->config, 0xc0);
    EXPECT_EQ(loads->config, 0x81d0);
    EXPECT_FALSE(processor_events().find("nosuch_event"));
}

TEST_F(ProcessorEventsOfSkylake, EventsThatNeedASecondRegisterAreUnsupported)
{
    EXPECT_FALSE(processor_events().find("offcore_response_0"));
}

TEST_F(ProcessorEventsOfSkylake, EventsAreListedInLowerCase)
{
    std::set<std::string> names;
    processor_events().for_each([&](std::string_view name) { names.emplace(name); });
    EXPECT_TRUE(names.contains("inst_retired"));
    EXPECT_FALSE(names.contains("INST_RETIRED"));
}

} // namespace
} // namespace dt
