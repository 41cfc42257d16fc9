// Tests the provider cpc (dtrace-providers(7), cpc) with artificial kernel data. This kernel can count only software
// events.
#include <gtest/gtest.h>

#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

/// Returns the perf event to which a probe of this name is attached, or "" if the probe does not exist.
std::string event_of(const std::string& name)
{
    test::FrozenKernel kernel;
    const auto plan = plan_of(*make_cpc_provider(kernel), {"cpc", "", "", name});
    return plan ? plan->targets.at(0).where : "";
}

TEST(CpcProvider, AProbeNameConsistsOfEventModeAndCount)
{
    EXPECT_EQ(event_of("page_faults-user-5"), "5:all:1:2:user");
    EXPECT_EQ(event_of("context_switches-all-1"), "1:all:1:3:all");
    EXPECT_EQ(event_of("page_faults-user"), "");
    EXPECT_EQ(event_of("page_faults-both-5"), "");
    EXPECT_EQ(event_of("page_faults-user-0"), "");
    EXPECT_EQ(event_of("page_faults-user-18446744073709551615"), "");
    EXPECT_EQ(event_of("page_faults-user-5-5"), "");
}

TEST(CpcProvider, EventsThatCannotBeCountedAreReported)
{
    test::FrozenKernel kernel;
    TestSink sink;
    for (const char* name : {"cycles-all-5000", "r1c2-user-5000", "llc_loads-all-1"}) {
        const auto result = make_cpc_provider(kernel)->match({"cpc", "", "", name}, sink);
        ASSERT_FALSE(result) << name;
        EXPECT_NE(result.error().message.find("no such counter"), std::string::npos);
    }
}

TEST(CpcProvider, OnlyEventsThatCanBeCountedAreListed)
{
    test::FrozenKernel kernel;
    TestSink sink;
    ASSERT_TRUE(make_cpc_provider(kernel)->match({"cpc", "", "", "*_faults-*"}, sink));
    std::vector<std::string> names;
    for (const Probe& probe : sink.probes)
        names.push_back(probe.name);
    EXPECT_EQ(names, (std::vector<std::string>{"page_faults-all-1000000000", "minor_faults-all-1000000000",
                                               "major_faults-all-1000000000", "alignment_faults-all-1000000000",
                                               "emulation_faults-all-1000000000"}));
}

/// A kernel whose processor can count one event, inst_retired, with the alias inst_retired.any_p.
class KernelWithProcessorEvent : public test::FrozenKernel {
public:
    std::optional<PerfEvent> processor_event(std::string_view name) override
    {
        return name == "inst_retired.any_p" || name == "inst_retired" ? std::optional(PerfEvent{4, 0xc0})
                                                                      : std::nullopt;
    }
    void for_each_processor_event(const VisitName& visit) override { visit("inst_retired"); }
    int event_error(uint32_t, uint64_t) override { return 0; }
};

TEST(CpcProvider, EventsOfTheProcessorModelAreRecognized)
{
    KernelWithProcessorEvent kernel;
    const auto plan = plan_of(*make_cpc_provider(kernel), {"cpc", "", "", "inst_retired.any_p-user-1000"});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->targets.at(0).where, "1000:all:4:192:user");
    TestSink sink;
    ASSERT_TRUE(make_cpc_provider(kernel)->match({"cpc", "", "", "inst_*"}, sink));
    ASSERT_EQ(sink.probes.size(), 1u);
    EXPECT_EQ(sink.probes.front().name, "inst_retired-all-1000000000");
}

} // namespace
} // namespace dt::probes
