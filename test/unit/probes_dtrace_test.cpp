// BEGIN, END, ERROR (providers reference 4).
#include <gtest/gtest.h>

#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

TEST(DtraceProvider, GivesTheThreeProbesInTheOrderOfTheirIds)
{
    TestSink sink;
    ASSERT_TRUE(make_dtrace_provider()->match({"", "", "", "*"}, sink));
    ASSERT_EQ(sink.probes.size(), 3u);
    EXPECT_EQ(sink.named("", "BEGIN")->id, 1u);
    EXPECT_EQ(sink.named("", "END")->id, 2u);
    EXPECT_EQ(sink.named("", "ERROR")->id, 3u);
}

TEST(DtraceProvider, BeginAndEndAreTestRunsAndErrorIsCalled)
{
    const auto provider = make_dtrace_provider();
    EXPECT_EQ(plan_of(*provider, {"", "", "", "BEGIN"})->kind, ProgramKind::TestRun);
    EXPECT_EQ(plan_of(*provider, {"", "", "", "END"})->targets.at(0).where, "END");
    EXPECT_EQ(plan_of(*provider, {"", "", "", "ERROR"})->kind, ProgramKind::FaultCall);
}

TEST(DtraceProvider, ErrorArgumentsAreTheFault)
{
    const auto plan = plan_of(*make_dtrace_provider(), {"", "", "", "ERROR"});
    for (uint32_t i = 0; i < 6; ++i)
        EXPECT_EQ(plan->arguments[i], (Location{Location::Kind::FaultWord, i}));
    EXPECT_EQ(plan->arguments[6].kind, Location::Kind::Zero);
}

TEST(Providers, TheDtraceProviderComesFirst)
{
    test::FrozenKernel kernel;
    const auto providers = all_providers(kernel);
    ASSERT_GE(providers.size(), 9u);
    EXPECT_EQ(providers[0]->name(), "dtrace");
    EXPECT_EQ(providers[1]->name(), "profile");
    EXPECT_EQ(providers[2]->name(), "syscall");
    EXPECT_EQ(providers[3]->name(), "proc"); // the first of those with stable names
    const auto* last = &providers[providers.size() - 4];
    EXPECT_EQ(last[0]->name(), "pid");
    EXPECT_EQ(last[1]->name(), "rawtp");
    EXPECT_EQ(last[2]->name(), "sdt");
    EXPECT_EQ(last[3]->name(), "fbt");
}

} // namespace
} // namespace dt::probes
