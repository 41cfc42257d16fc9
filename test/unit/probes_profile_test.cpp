// Tests the probes profile-N and tick-N (dtrace-providers(7), profile).
#include <gtest/gtest.h>

#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

/// Returns the timer to which a probe of this name is attached, or "" if the probe does not exist.
std::string clock_of(const std::string& name)
{
    const auto plan = plan_of(*make_profile_provider(), {"profile", "", "", name});
    return plan ? plan->targets.at(0).where : "";
}

TEST(ProfileProvider, ListsTheUsualNames)
{
    TestSink sink;
    ASSERT_TRUE(make_profile_provider()->match({}, sink));
    std::vector<std::string> names;
    for (const Probe& probe : sink.probes)
        names.push_back(probe.name);
    EXPECT_EQ(names, (std::vector<std::string>{"profile-97", "profile-199", "profile-499", "profile-997",
                                               "profile-1999", "profile-4001", "profile-4999", "tick-1", "tick-10",
                                               "tick-100", "tick-500", "tick-1000", "tick-5000"}));
}

TEST(ProfileProvider, ANameWithoutSuffixOrWithHzIsARate)
{
    EXPECT_EQ(clock_of("profile-97"), "10309278:all");
    EXPECT_EQ(clock_of("profile-1000hz"), "1000000:all");
    EXPECT_EQ(clock_of("tick-1"), "1000000000:one");
}

TEST(ProfileProvider, EveryUnitIsKnownInEitherCase)
{
    EXPECT_EQ(clock_of("tick-200000ns"), "200000:one");
    EXPECT_EQ(clock_of("tick-300000nsec"), "300000:one");
    EXPECT_EQ(clock_of("profile-250us"), "250000:all");
    EXPECT_EQ(clock_of("profile-250USEC"), "250000:all");
    EXPECT_EQ(clock_of("tick-7ms"), "7000000:one");
    EXPECT_EQ(clock_of("tick-7msec"), "7000000:one");
    EXPECT_EQ(clock_of("tick-5s"), "5000000000:one");
    EXPECT_EQ(clock_of("tick-5Sec"), "5000000000:one");
    EXPECT_EQ(clock_of("tick-2m"), "120000000000:one");
    EXPECT_EQ(clock_of("tick-2min"), "120000000000:one");
    EXPECT_EQ(clock_of("tick-1h"), "3600000000000:one");
    EXPECT_EQ(clock_of("tick-1hour"), "3600000000000:one");
    EXPECT_EQ(clock_of("tick-1d"), "86400000000000:one");
    EXPECT_EQ(clock_of("tick-1day"), "86400000000000:one");
}

TEST(ProfileProvider, IntervalsBelowTwoHundredMicrosecondsDoNotExist)
{
    EXPECT_EQ(clock_of("profile-5000"), "200000:all");
    for (const char* name : {"profile-5001", "profile-1ns", "tick-1us", "profile-1usec", "tick-199us"})
        EXPECT_EQ(clock_of(name), "") << name;
}

TEST(ProfileProvider, MalformedNamesDoNotExist)
{
    for (const char* name : {"profile", "tick", "tick-", "profile-", "tick-0", "tick-0s", "tick-5x", "tick-s",
                             "tick--1", "tick-1.5s", "tick-999999999d", "tick-99999999999999999999", "tick- 1s"})
        EXPECT_EQ(clock_of(name), "") << name;
}

TEST(ProfileProvider, PatternsMatchOnlyListedProbes)
{
    TestSink sink;
    ASSERT_TRUE(make_profile_provider()->match({"", "", "", "tick-*s"}, sink));
    EXPECT_TRUE(sink.probes.empty());
    ASSERT_TRUE(make_profile_provider()->match({"", "", "", "tick-?"}, sink));
    ASSERT_EQ(sink.probes.size(), 1u);
    EXPECT_EQ(sink.probes[0].name, "tick-1");
}

TEST(ProfileProvider, ProbesHaveAnEmptyModuleAndFunction)
{
    TestSink sink;
    ASSERT_TRUE(make_profile_provider()->match({"", "vmlinux", "", "tick-1s"}, sink));
    ASSERT_TRUE(make_profile_provider()->match({"", "", "f*", "tick-1s"}, sink));
    EXPECT_TRUE(sink.probes.empty());
    ASSERT_TRUE(make_profile_provider()->match({"", "*", "*", "tick-1s"}, sink));
    EXPECT_EQ(sink.probes.size(), 1u);
}

TEST(ProfileProvider, ArgumentsAreTheProgramCountersOfKernelAndUserMode)
{
    const auto plan = plan_of(*make_profile_provider(), {"", "", "", "profile-97"});
    EXPECT_EQ(plan->arguments[0].kind, Location::Kind::KernelPc);
    EXPECT_EQ(plan->arguments[1].kind, Location::Kind::UserPc);
    EXPECT_EQ(plan->arguments[2].kind, Location::Kind::Zero);
    EXPECT_EQ(plan->kind, ProgramKind::PerfEvent);
}

} // namespace
} // namespace dt::probes
