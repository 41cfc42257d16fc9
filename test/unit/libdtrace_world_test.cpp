// Tests the probe registry: ids, on-demand probes, aliases. It uses fixed kernel data (a frozen kernel), so the results
// do not depend on the machine.
#include "libdtrace/session/live_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

using testing::ElementsAre;

std::unique_ptr<probes::KernelView> kernel()
{
    return std::make_unique<test::FrozenKernel>();
}

std::vector<std::string> names(World& world, const ProbePattern& pattern)
{
    std::vector<const Probe*> found;
    EXPECT_TRUE(world.probes().find(pattern, found));
    std::vector<std::string> result;
    for (const Probe* probe : found)
        result.push_back(probe->provider + ":" + probe->module + ":" + probe->function + ":" + probe->name);
    return result;
}

TEST(World, BeginEndAndErrorAlwaysHaveTheFirstIds)
{
    LiveWorld world(kernel(), 0);
    EXPECT_THAT(names(world, {"", "", "", "tick-1s"}), ElementsAre("profile:::tick-1s"));
    EXPECT_EQ(world.probes().probe(1)->name, "BEGIN");
    EXPECT_EQ(world.probes().probe(2)->name, "END");
    EXPECT_EQ(world.probes().probe(3)->name, "ERROR");
    EXPECT_EQ(world.probes().probe(0), nullptr);
}

TEST(World, ProbesAreListedOnceInTheOrderOfTheirIds)
{
    LiveWorld world(kernel(), 0);
    names(world, {"syscall", "", "write", "return"});
    EXPECT_THAT(names(world, {"syscall", "", "write", ""}),
                ElementsAre("syscall:vmlinux:write:entry", "syscall:vmlinux:write:return"));
    EXPECT_EQ(names(world, {"syscall", "", "write", ""}).size(), 2u);
}

TEST(World, CachedResultsIncludeProbesThatWereAddedLater)
{
    LiveWorld world(kernel(), 0);
    EXPECT_THAT(names(world, {"", "", "", "tick-1?"}), ElementsAre("profile:::tick-10"));
    names(world, {"", "", "", "tick-1s"});
    EXPECT_THAT(names(world, {"", "", "", "tick-1?"}), ElementsAre("profile:::tick-10", "profile:::tick-1s"));
}

/// A provider that makes probes on demand. Their number grows, as if a process mapped more libraries.
class GrowingProvider final : public probes::Provider {
public:
    explicit GrowingProvider(const uint32_t& count) : count_(count) {}
    std::string_view name() const override { return "grow"; }
    Result<void> match(const ProbePattern&, probes::ProbeSink& sink) override
    {
        for (uint32_t i = 0; i < count_; ++i) {
            Probe probe;
            probe.provider = "grow";
            probe.name = std::to_string(i);
            sink.add_on_demand(std::move(probe));
        }
        return {};
    }

private:
    const uint32_t& count_;
};

TEST(ProbeRegistry, OnDemandProbesAreSearchedAgainInTheNextRun)
{
    uint32_t count = 1;
    std::vector<std::unique_ptr<probes::Provider>> providers;
    providers.push_back(std::make_unique<GrowingProvider>(count));
    probes::ProbeRegistry registry(std::move(providers));
    std::vector<const Probe*> before, same, after;
    ASSERT_TRUE(registry.find({"grow", "", "", ""}, before));
    count = 2;
    ASSERT_TRUE(registry.find({"grow", "", "", ""}, same)); // during one trace, the registry returns the cached result
    EXPECT_EQ(same, before);
    registry.forget_on_demand();
    ASSERT_TRUE(registry.find({"grow", "", "", ""}, after));
    ASSERT_EQ(after.size(), 2u);
    EXPECT_EQ(after[0], before[0]);
}

TEST(World, ADescriptionWithASyscallAliasFindsTheCanonicalProbe)
{
    LiveWorld world(kernel(), 0);
    EXPECT_THAT(names(world, {"", "", "stat", "entry"}), ElementsAre("syscall:vmlinux:newstat:entry"));
}

TEST(World, ADescriptionWithoutMatchingProbesIsNoError)
{
    LiveWorld world(kernel(), 0);
    EXPECT_TRUE(names(world, {"", "", "", "tick-1us"}).empty());
    EXPECT_TRUE(names(world, {"nosuch", "", "", ""}).empty());
    EXPECT_TRUE(names(world, {"syscall", "", "nosuch", ""}).empty());
    EXPECT_TRUE(names(world, {"dtrace", "", "f", ""}).empty());
}

TEST(World, ProbesCanBeLookedUpByTheIdsOfAFullListing)
{
    LiveWorld listing(kernel(), 0), world(kernel(), 0);
    names(listing, {});
    const Probe* listed = listing.probes().probe(100);
    ASSERT_NE(listed, nullptr);
    ASSERT_NE(world.probes().probe(100), nullptr);
    EXPECT_EQ(world.probes().probe(100)->function, listed->function);
    EXPECT_EQ(world.probes().probe(1'000'000), nullptr);
}

TEST(World, ProbeIdsDoNotDependOnTheQuery)
{
    LiveWorld listing(kernel(), 0), world(kernel(), 0);
    std::vector<const Probe*> all, one;
    ASSERT_TRUE(listing.probes().find({}, all));
    // tick-123ms is made on demand, so it gets an id that no listed probe has.
    ASSERT_TRUE(world.probes().find({"profile", "", "", "tick-123ms"}, one));
    for (const Probe* probe : all)
        EXPECT_NE(probe->id, one.at(0)->id);
    for (const Probe* probe : all) {
        one.clear();
        ASSERT_TRUE(world.probes().find({probe->provider, probe->module, probe->function, probe->name}, one));
        ASSERT_EQ(one.size(), 1u);
        EXPECT_EQ(one[0]->id, probe->id);
    }
}

TEST(World, KnowsProvidersModulesAndTheTargetProcess)
{
    LiveWorld world(kernel(), 42);
    EXPECT_TRUE(world.probes().has_provider("profile"));
    EXPECT_FALSE(world.probes().has_provider("prof*"));
    EXPECT_TRUE(world.has_module("vmlinux"));
    EXPECT_FALSE(world.has_module("nosuchmodule"));
    EXPECT_EQ(world.target().pid, 42);
    EXPECT_GE(world.target().cpus, 1u);
}

TEST(World, BuiltInModulesAreReadFromAListOfTheKernelBuild)
{
    const std::string folder = testing::TempDir() + "dt_world_" + std::to_string(getpid()) + "/";
    std::filesystem::create_directory(folder);
    FILE* file = fopen((folder + "modules.builtin").c_str(), "w");
    fputs("kernel/fs/ext9/ext9.ko\nkernel/drivers/odd-name.ko\n", file);
    fclose(file);
    RunOptions options;
    options.modpath = folder;
    LiveWorld world(kernel(), 0);
    EXPECT_FALSE(world.has_module("ext9"));
    ASSERT_TRUE(world.set_up(options, nullptr));
    EXPECT_TRUE(world.has_module("ext9"));
    EXPECT_TRUE(world.has_module("odd_name"));
    EXPECT_FALSE(world.has_module("ext"));
    EXPECT_FALSE(world.has_module("../etc"));
    std::filesystem::remove_all(folder);
}

TEST(World, AnUnusableTypeArchiveIsAnImmediateError)
{
    RunOptions options;
    options.ctfpath = "/nosuch.ctfa";
    LiveWorld world(kernel(), 0);
    EXPECT_EQ(world.set_up(options, nullptr).error().message, "failed to open /nosuch.ctfa: No such file or directory");
    options.ctfpath = "/proc/version";
    EXPECT_THAT(world.set_up(options, nullptr).error().message,
                testing::StartsWith("failed to open /proc/version: Module does not contain any CTF data"));
}

TEST(World, ASymbolOfAProcessHasTheDataModelOfItsObject)
{
    LiveWorld nobody(kernel(), 0);
    EXPECT_FALSE(nobody.user_symbol("", "abort"));
    LiveWorld world(kernel(), getpid());
    const auto found = world.user_symbol("libc", "abort");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->is_function);
    EXPECT_EQ(found->model, DataModel::Lp64);
    EXPECT_THAT(found->module, testing::HasSubstr("libc"));
}

} // namespace
} // namespace dt
