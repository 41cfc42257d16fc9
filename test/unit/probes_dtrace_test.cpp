// Tests the probes BEGIN, END and ERROR (dtrace-providers(7), dtrace).
#include <set>

#include <gtest/gtest.h>

#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

TEST(DtraceProvider, HasThreeProbesInOrderOfIds)
{
    TestSink sink;
    ASSERT_TRUE(make_dtrace_provider()->match({"", "", "", "*"}, sink));
    ASSERT_EQ(sink.probes.size(), 3u);
    EXPECT_EQ(sink.named("", "BEGIN")->id, 1u);
    EXPECT_EQ(sink.named("", "END")->id, 2u);
    EXPECT_EQ(sink.named("", "ERROR")->id, 3u);
}

TEST(DtraceProvider, BeginAndEndAreRunByTheTracerAndErrorIsCalledByClauses)
{
    const auto provider = make_dtrace_provider();
    EXPECT_EQ(plan_of(*provider, {"", "", "", "BEGIN"})->kind, ProgramKind::TestRun);
    EXPECT_EQ(plan_of(*provider, {"", "", "", "END"})->targets.at(0).where, "END");
    EXPECT_EQ(plan_of(*provider, {"", "", "", "ERROR"})->kind, ProgramKind::FaultCall);
}

TEST(DtraceProvider, ArgumentsOfErrorDescribeTheFault)
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
    EXPECT_EQ(providers.front()->name(), "dtrace");
    EXPECT_EQ(providers.back()->name(), "fbt") << "the largest";
    std::set<std::string_view> names;
    for (const auto& provider : providers)
        EXPECT_TRUE(names.insert(provider->name()).second || provider->name() == "sdt")
            << provider->name() << ": only sdt is two, tracepoints and names for some";
}

} // namespace
} // namespace dt::probes
