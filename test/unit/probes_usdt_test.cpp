// Tests USDT probes with an artificial process (dtrace-providers(7), usdt): which probes are found, and where they are
// attached.
#include <gmock/gmock.h>

#include "machine/x86_64/registers.hpp"
#include "probes/probe_registry.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;

class UsdtProvider : public testing::Test {
protected:
    UsdtProvider()
    {
        const Location first{.kind = Kind::Register, .index = machine::x86_64::Di},
            elsewhere{.kind = Kind::Register, .index = machine::x86_64::Bx};
        processes().probes_ = {
            {"shop",
             "sell",
             "sale",
             {{0x1004, 0x9000, {first}}, {0x1020, 0x9002, {elsewhere}}},
             {0x1000},
             {"int32_t"},
             {},
             {},
             ""},
            {"shop", "main", "close-day", {{0x1050, 0, {first}}}, {}, {"int", "char"}, {"char", "int"}, {1, 0}, ""},
        };
    }

    test::FrozenProcesses& processes() { return static_cast<test::FrozenProcesses&>(kernel.processes()); }

    std::vector<std::string> names(const ProbePattern& pattern)
    {
        TestSink found;
        EXPECT_TRUE(provider->match(pattern, found));
        std::vector<std::string> result;
        for (const Probe& probe : found.probes)
            result.push_back(probe.full_name());
        return result;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plans(const std::string& name, const RefusedKinds& refused = {})
    {
        EXPECT_TRUE(provider->match({"shop4343", "", "", name}, sink));
        std::vector<const Probe*> probes;
        for (const Probe& probe : sink.probes)
            probes.push_back(&probe);
        return provider->plan(probes, {}, refused);
    }

    test::FrozenKernel kernel;
    std::unique_ptr<Provider> provider = make_usdt_provider(kernel);
    TestSink sink;
};

TEST_F(UsdtProvider, TheNameOfAProviderEndsWithTheProcessId)
{
    EXPECT_THAT(names({"shop4343", "", "", "sale"}), testing::ElementsAre("shop4343:shop:sell:sale"));
    EXPECT_THAT(names({"shop*", "a.out", "", "close-day"}),
                testing::ElementsAre("shop*:shop:main:close-day", "shop4343:shop:main:close-day"));
    // Only the existing process matches. Because a digit precedes the *, the name is no pattern for processes that
    // appear later.
    EXPECT_THAT(names({"shop43*", "a.out", "", "close-day"}), testing::ElementsAre("shop4343:shop:main:close-day"));
    EXPECT_TRUE(names({"shop17", "", "", ""}).empty());
    EXPECT_TRUE(names({"store*", "", "", ""}).empty());
}

TEST_F(UsdtProvider, NamesOfOtherProvidersDoNotMatch)
{
    for (const char* other : {"pid4343", "syscall", "BEGIN", "123"})
        EXPECT_FALSE(provider->serves(other)) << other;
    EXPECT_TRUE(provider->serves("shop4343"));
}

TEST_F(UsdtProvider, SitesWhoseArgumentsAreInDifferentLocationsHaveSeparatePrograms)
{
    const auto made = plans("sale");
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0]->kind, ProgramKind::UprobeMulti);
    EXPECT_EQ(made[0]->targets.at(0).counter, 0x9000u);
    EXPECT_EQ(made[0]->targets.at(0).process, 4343);
    EXPECT_EQ(made[1]->targets.at(0).address, 0x1020u);
    EXPECT_EQ(made[1]->arguments[0].index, uint32_t{machine::x86_64::Bx});
}

TEST_F(UsdtProvider, OneProgramServesAllIsEnabledProbes)
{
    const auto made = plans("sale");
    ASSERT_TRUE(made.at(0)->is_enabled_probe);
    EXPECT_EQ(made[0]->is_enabled_probe->targets.at(0).address, 0x1000u);
    EXPECT_FALSE(made.at(1)->is_enabled_probe);
}

TEST_F(UsdtProvider, ProbesWithArgumentsInTheSameLocationsShareAProgram)
{
    const auto made = plans("");
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0]->probes.size(), 2u);
    EXPECT_EQ(made[0]->selector, Location{Kind::Cookie});
    EXPECT_EQ(made[0]->targets.back().cookie, 1u);
}

TEST_F(UsdtProvider, WithoutMultiUprobesEachProbeHasItsOwnPerfEvent)
{
    const auto made = plans("close-day", {ProgramKind::UprobeMulti});
    EXPECT_EQ(made.at(0)->kind, ProgramKind::Uprobe);
    EXPECT_FALSE(made[0]->has_fallback);
}

TEST_F(UsdtProvider, ProbesOfAFileAreAttachedInEveryProcessThatMapsIt)
{
    const std::string name = "shop@/usr/bin/shop";
    EXPECT_TRUE(provider->serves(name));
    EXPECT_FALSE(provider->serves("pid@/usr/lib/libc.so.6"));
    ASSERT_TRUE(provider->match({name, "", "", "close-day"}, sink));
    ASSERT_EQ(sink.probes.size(), 1u);
    EXPECT_EQ(sink.probes.front().full_name(), name + ":shop:main:close-day");
    const auto made = provider->plan({&sink.probes.front()}, {}, {});
    ASSERT_EQ(made.size(), 1u);
    EXPECT_TRUE(made[0]->everywhere);
    EXPECT_EQ(made[0]->targets.at(0).where, "/usr/bin/shop");
    EXPECT_EQ(made[0]->targets.at(0).process, 0);
    EXPECT_EQ(provider->match({"shop@/nowhere", "", "", "sale"}, sink).error().tag, "D_PROC_GRAB");
}

TEST_F(UsdtProvider, ArgumentsHaveTheOrderOfTheProviderDefinition)
{
    ASSERT_TRUE(provider->match({"shop4343", "", "", "close-day"}, sink));
    const ProbeSignature signature = provider->signature(sink.probes.front());
    ASSERT_EQ(signature.arguments.size(), 2u);
    EXPECT_EQ(signature.arguments[0].mapping, 1);
    EXPECT_EQ(signature.arguments[0].native, "char");
    EXPECT_EQ(signature.arguments[1].native, "int");
}

} // namespace
} // namespace dt::probes
