// BEGIN, END, ERROR (providers reference 4).
#include <gtest/gtest.h>

#include "probes/process_view.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

TEST(DtraceProvider, GivesTheThreeProbesInTheOrderOfTheirIds)
{
    TestSink sink;
    ASSERT_TRUE(make_dtrace_provider()->match({"", "", "", "ERROR"}, sink));
    ASSERT_EQ(sink.probes.size(), 3u);
    EXPECT_EQ(sink.named("", "BEGIN")->id, 1u);
    EXPECT_EQ(sink.named("", "END")->id, 2u);
    EXPECT_EQ(sink.named("", "ERROR")->id, 3u);
}

TEST(DtraceProvider, BeginAndEndAreTestRunsAndErrorHasNoHook)
{
    TestSink sink;
    ASSERT_TRUE(make_dtrace_provider()->match({}, sink));
    EXPECT_EQ(sink.named("", "BEGIN")->hook->kind, ProgramKind::TestRun);
    EXPECT_EQ(sink.named("", "END")->hook->target, "END");
    EXPECT_EQ(sink.named("", "ERROR")->hook, nullptr);
}

TEST(DtraceProvider, ErrorArgumentsAreTheFault)
{
    TestSink sink;
    ASSERT_TRUE(make_dtrace_provider()->match({}, sink));
    const Probe* error = sink.named("", "ERROR");
    for (uint32_t i = 0; i < 6; ++i)
        EXPECT_EQ(error->args[i], (ContextValue{ContextValue::Kind::FaultWord, i}));
    EXPECT_EQ(error->args[6].kind, ContextValue::Kind::Zero);
}

TEST(Providers, TheDtraceProviderComesFirst)
{
    const auto providers = all_providers(nullptr);
    ASSERT_EQ(providers.size(), 4u);
    EXPECT_EQ(providers[0]->name(), "dtrace");
    EXPECT_EQ(providers[1]->name(), "profile");
    EXPECT_EQ(providers[2]->name(), "syscall");
    EXPECT_EQ(providers[3]->name(), "pid");
}

} // namespace
} // namespace dt::probes
