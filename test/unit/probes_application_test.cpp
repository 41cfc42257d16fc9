// Tests the probes that a running program defines itself at run time (dtrace-providers(7), application).
#include <gmock/gmock.h>

#include "probes/probe_registry.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

class ApplicationProbes : public testing::Test {
protected:
    std::vector<std::string> names(const ProbePattern& pattern)
    {
        EXPECT_TRUE(provider->match(pattern, sink));
        std::vector<std::string> result;
        for (const Probe& probe : sink.probes)
            result.push_back(probe.full_name());
        return result;
    }

    test::FrozenKernel kernel;
    std::unique_ptr<Provider> provider = make_application_provider(kernel);
    TestSink sink;
};

TEST_F(ApplicationProbes, ProbesBelongToTheNamedProcess)
{
    EXPECT_TRUE(provider->serves("app4444"));
    EXPECT_FALSE(provider->serves("syscall"));
    EXPECT_THAT(names({"app4444", "", "", "request"}), testing::ElementsAre("app4444:shop:serve:request"));
}

TEST_F(ApplicationProbes, PatternsMatchOnlyProcessesOfTheSession)
{
    EXPECT_TRUE(names({"app*", "", "", ""}).empty());
}

TEST_F(ApplicationProbes, AProcessWithoutApplicationProbesMatchesNothing)
{
    EXPECT_TRUE(names({"app77", "", "", ""}).empty());
}

TEST_F(ApplicationProbes, AllProbesOfAProcessShareOneAttachPlan)
{
    ASSERT_EQ(names({"app4444", "", "", ""}).size(), 2u);
    std::vector<const Probe*> probes;
    for (const Probe& probe : sink.probes)
        probes.push_back(&probe);
    const auto plans = provider->plan(probes, {}, {});
    ASSERT_EQ(plans.size(), 1u);
    EXPECT_TRUE(plans[0]->kind_info().in_engine);
    EXPECT_TRUE(probes[0]->reported_by_process);
    EXPECT_EQ(plans[0]->selector_bound, 2u);
    EXPECT_EQ(plans[0]->targets[1].process, test::kListening);
    const ProbeSignature signature = provider->signature(*probes[0]);
    ASSERT_EQ(signature.arguments.size(), 2u);
    EXPECT_EQ(signature.arguments[1].native, "const char *");
}

} // namespace
} // namespace dt::probes
