// Tests the provider pid with an artificial process (dtrace-providers(7), pid): which probes match a description, and
// where they are attached.
#include <gmock/gmock.h>

#include "machine/machine.hpp"
#include "probes/probe_registry.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

class PidProvider : public testing::Test {
protected:
    std::vector<std::string> names(const std::string& module, const std::string& function, const std::string& name)
    {
        TestSink found;
        EXPECT_TRUE(provider->match({"pid4343", module, function, name}, found));
        std::vector<std::string> result;
        for (const Probe& probe : found.probes)
            result.push_back(probe.module + ":" + probe.function + ":" + probe.name);
        return result;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plans(std::initializer_list<ProbePattern> patterns,
                                                         const RefusedKinds& refused = {})
    {
        std::vector<const Probe*> probes;
        for (const ProbePattern& pattern : patterns)
            EXPECT_TRUE(provider->match(pattern, sink));
        for (const Probe& probe : sink.probes)
            probes.push_back(&probe);
        return provider->plan(probes, {}, refused);
    }

    test::FrozenKernel kernel;
    std::unique_ptr<Provider> provider = make_pid_provider(kernel);
    TestSink sink;
};

TEST_F(PidProvider, AnObjectHasSeveralNamesButEachOfItsProbesHasOne)
{
    for (const char* module : {"a.out", "shop", "/usr/bin/shop", "sho?"})
        EXPECT_THAT(names(module, "main", "entry"), testing::ElementsAre("a.out:main:entry")) << module;
    for (const char* module : {"libc", "libc.so", "libc.so.6", "/usr/lib/libc.so.6"})
        EXPECT_THAT(names(module, "malloc", "entry"), testing::ElementsAre("libc.so.6:malloc:entry")) << module;
    EXPECT_THAT(names("", "helper", "return"), testing::ElementsAre("a.out:helper:return", "libc.so.6:helper:return"));
}

TEST_F(PidProvider, APatternSkipsPartsOfSplitFunctions)
{
    EXPECT_THAT(names("a.out", "*", "entry"), testing::ElementsAre("a.out:main:entry", "a.out:helper:entry"));
    EXPECT_THAT(names("libc", "*", "entry"),
                testing::ElementsAre("libc.so.6:malloc:entry", "libc.so.6:helper:entry", "libc.so.6:gopher:entry"));
    EXPECT_THAT(names("a.out", "cold.part.0", "entry"), testing::ElementsAre("a.out:cold.part.0:entry"));
    EXPECT_THAT(names("libc", "unsized", "a"), testing::ElementsAre("libc.so.6:unsized:a"));
}

TEST_F(PidProvider, AnOffsetGivenInSeveralWaysHasOneProbeName)
{
    EXPECT_THAT(names("a.out", "main", "00d"), testing::ElementsAre("a.out:main:d"));
    EXPECT_THAT(names("a.out", "*", "1d"), testing::ElementsAre("a.out:main:1d"));
    EXPECT_THAT(names("a.out", "-", "1004"), testing::ElementsAre("a.out:-:1004"));
}

TEST_F(PidProvider, APatternForTheNameMatchesEveryInstruction)
{
    EXPECT_THAT(names("a.out", "helper", ""),
                testing::ElementsAre("a.out:helper:entry", "a.out:helper:return", "a.out:helper:0", "a.out:helper:4",
                                     "a.out:helper:5", "a.out:helper:9", "a.out:helper:d", "a.out:helper:e",
                                     "a.out:helper:f"));
    EXPECT_THAT(names("a.out", "helper", "[0-9]"),
                testing::ElementsAre("a.out:helper:0", "a.out:helper:4", "a.out:helper:5", "a.out:helper:9"));
}

TEST_F(PidProvider, ImmovableNopsAreSkippedIfTheKernelRewritesThem)
{
    kernel.clobbers = true;
    EXPECT_THAT(names("libc", "helper", "?"), testing::ElementsAre("libc.so.6:helper:0", "libc.so.6:helper:4",
                                                                   "libc.so.6:helper:a", "libc.so.6:helper:f"));
    std::vector<std::string> absent;
    provider->explain_absent({"pid4343", "libc", "helper", "?"},
                             [&](const std::string& what, std::string_view) { absent.push_back(what); });
    EXPECT_THAT(absent, testing::ElementsAre("pid4343:libc.so.6:helper:5"));
    EXPECT_EQ(provider->match({"pid4343", "libc", "helper", "5"}, sink).error().tag, "D_PROC_CREATEFAIL");
    const auto made = plans({{"pid4343", "libc", "helper", "a"}});
    EXPECT_EQ(made.at(0)->targets.at(0).address, 0x204fu);
}

TEST_F(PidProvider, OneProgramServesAllEntriesOfAProcess)
{
    const auto made = plans({{"pid4343", "", "helper", "entry"}, {"pid4343", "a.out", "main", "entry"}});
    ASSERT_EQ(made.size(), 1u);
    const AttachPlan& plan = *made[0];
    EXPECT_EQ(plan.kind, ProgramKind::UprobeMulti);
    EXPECT_TRUE(plan.has_fallback);
    EXPECT_EQ(plan.selector, Location{Location::Kind::Cookie});
    ASSERT_EQ(plan.targets.size(), 3u);
    EXPECT_EQ(plan.targets[0].where, "/proc/4343/exe");
    EXPECT_EQ(plan.targets[0].address, 0x1044u); // the probe is placed after the instruction endbr64
    EXPECT_EQ(plan.targets[0].process, 4343);
    EXPECT_EQ(plan.targets[1].where, "/proc/4343/libc");
    EXPECT_EQ(plan.targets[2].cookie, 2u);
    EXPECT_EQ(plan.arguments[0], (Location{Location::Kind::Register, machine::native().calls.arguments[0]}));
    EXPECT_EQ(plan.arguments[6], (Location{Location::Kind::UserMemory, machine::native().saved.stack_pointer, 8}));
    EXPECT_EQ(plan.arguments[7], (Location{Location::Kind::UserMemory, machine::native().saved.stack_pointer, 16}));
}

TEST_F(PidProvider, ProbesOfAFileAreAttachedInEveryProcessThatMapsIt)
{
    const std::string provider_name = "pid@/usr/lib/libc.so.6";
    const auto made = plans({{provider_name, "", "malloc", "entry"}, {provider_name, "libc", "helper", "entry"}});
    ASSERT_EQ(made.size(), 1u);
    ASSERT_EQ(made[0]->targets.size(), 2u);
    EXPECT_EQ(made[0]->targets[0].where, "/usr/lib/libc.so.6");
    EXPECT_EQ(made[0]->targets[0].process, 0);
    EXPECT_EQ(made[0]->process_scope, ProcessScope::Any);
    EXPECT_EQ(sink.probes.at(0).provider, provider_name);
    EXPECT_EQ(sink.probes.at(0).module, "libc.so.6");
}

TEST_F(PidProvider, ABuildIdMatchesEveryCopyOfAFile)
{
    const auto made = plans({{std::string("pid@") + test::kCopied, "shop", "main", "entry"}});
    ASSERT_EQ(made.size(), 1u);
    ASSERT_EQ(made[0]->targets.size(), 2u);
    EXPECT_EQ(made[0]->targets[0].where, "/copies/1");
    EXPECT_EQ(made[0]->targets[1].where, "/copies/2");
    EXPECT_TRUE(made[0]->everywhere);
    EXPECT_EQ(sink.probes.size(), 1u);
}

TEST_F(PidProvider, ADescriptionWithAFileMatchesOnlyFunctionsOfThatFile)
{
    EXPECT_EQ(provider->match({"pid@/usr/lib/libc.so.6", "", "main", "entry"}, sink).error().tag, "D_PROC_FUNC");
    EXPECT_EQ(provider->match({"pid@/usr/lib/libc.so.6", "a.out", "malloc", "entry"}, sink).error().tag, "D_PROC_LIB");
    const Result<void> nowhere = provider->match({"pid@/nowhere", "", "main", "entry"}, sink);
    EXPECT_EQ(nowhere.error().tag, "D_PROC_GRAB");
    EXPECT_EQ(nowhere.error().message, "failed to grab file /nowhere: No such file or directory");
}

TEST_F(PidProvider, EntriesReturnsAndOffsetsHaveSeparatePrograms)
{
    const auto made = plans({{"pid4343", "a.out", "main", "entry"},
                             {"pid4343", "a.out", "main", "return"},
                             {"pid4343", "a.out", "main", "4"}});
    ASSERT_EQ(made.size(), 3u);
    EXPECT_EQ(made[1]->kind, ProgramKind::UretprobeMulti);
    EXPECT_EQ(made[1]->arguments[1], (Location{Location::Kind::Register, machine::native().calls.result}));
    EXPECT_EQ(made[2]->targets[0].address, 0x1004u);
    EXPECT_EQ(made[2]->arguments[0], Location{});
}

TEST_F(PidProvider, ReturnProbesOfGoFunctionsArePlacedAtReturnInstructions)
{
    const auto made = plans({{"pid4343", "", "gopher", ""}});
    ASSERT_EQ(made.size(), 3u); // plans for entry, for return, and for offsets
    EXPECT_EQ(made[0]->arguments[0], (Location{Location::Kind::Register, machine::native().calls.go_arguments[0]}));
    EXPECT_EQ(made[1]->kind, ProgramKind::UprobeMulti);
    ASSERT_EQ(made[1]->targets.size(), 1u);
    EXPECT_EQ(made[1]->targets[0].address, 0x30fcu);
    EXPECT_EQ(made[1]->arguments[1], (Location{Location::Kind::Register, machine::native().calls.result}));
}

TEST_F(PidProvider, WithoutMultiUprobesEachProbeHasItsOwnPerfEvent)
{
    const auto made = plans({{"pid4343", "a.out", "main", "entry"}, {"pid4343", "a.out", "main", "return"}},
                            {ProgramKind::UprobeMulti});
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0]->kind, ProgramKind::Uprobe);
    EXPECT_EQ(made[1]->kind, ProgramKind::Uretprobe);
    EXPECT_FALSE(made[0]->has_fallback);
}

TEST_F(PidProvider, AnIfuncResolverItselfIsNotProbed)
{
    const Result<void> looked = provider->match({"pid4343", "libc", "chosen", "entry"}, sink);
    ASSERT_FALSE(looked);
    EXPECT_EQ(looked.error().tag, "D_PROC_CREATEFAIL");
}

TEST(PidRegistry, AProviderPatternWithoutPidPrefixMatchesExistingProbes)
{
    test::FrozenKernel kernel;
    ProbeRegistry registry(all_providers(kernel));
    std::vector<const Probe*> found;
    ASSERT_TRUE(registry.find({"p*d*", "a.out", "main", "entry"}, found));
    EXPECT_TRUE(found.empty());
    ASSERT_TRUE(registry.find({"pid4343", "a.out", "main", "entry"}, found));
    ASSERT_TRUE(registry.find({"p*d*", "a.out", "main", "entry"}, found));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0], found[1]);
}

TEST(PidRegistry, AProviderPatternWithPidPrefixOrNumberMatchesProcesses)
{
    for (const char* pattern : {"pid*", "p*d4343", "pid43?3", "*3"}) {
        test::FrozenKernel kernel;
        ProbeRegistry registry(all_providers(kernel));
        std::vector<const Probe*> found;
        ASSERT_TRUE(registry.find({pattern, "a.out", "main", "entry"}, found));
        ASSERT_EQ(found.size(), 1u) << pattern;
        EXPECT_EQ(found[0]->provider, "pid4343");
    }
}

/// Processes in which the children of the target are traced, too. One child runs another program.
class FollowedProcesses final : public test::FrozenProcesses {
public:
    static constexpr int64_t kChild = 4444;

    bool is_followed(int64_t pid) override { return pid == test::kTarget; }
    std::vector<int64_t> tree(int64_t pid) override { return {pid, kChild}; }
    Result<std::vector<Object>> objects(int64_t pid) override
    {
        if (pid != kChild)
            return FrozenProcesses::objects(pid);
        std::vector<Object> objects;
        objects.push_back({"/usr/bin/stall", true, "/proc/4444/exe"});
        return objects;
    }
};

class FollowingKernel final : public test::FrozenKernel {
public:
    ProcessView& processes() override { return followed_; }

private:
    FollowedProcesses followed_;
};

TEST(FollowedProcesses, ProbesAreAttachedToFilesAndFireInTheProcessTree)
{
    FollowingKernel kernel;
    const std::unique_ptr<Provider> provider = make_pid_provider(kernel);
    TestSink sink;
    ASSERT_TRUE(provider->match({"pid4343", "a.out", "main", "entry"}, sink));
    ASSERT_FALSE(sink.probes.empty());
    const auto plans = provider->plan({&sink.probes.front()}, {}, {});
    ASSERT_EQ(plans.size(), 1u);
    EXPECT_EQ(plans[0]->process_scope, ProcessScope::Tree);
    EXPECT_EQ(plans[0]->probes.front().process, test::kTarget);
    std::vector<std::string> files;
    for (const AttachTarget& target : plans[0]->targets) {
        EXPECT_EQ(target.process, 0);
        files.push_back(target.where);
    }
    EXPECT_THAT(files, testing::ElementsAre("/proc/4343/exe", "/proc/4444/exe"));
}

TEST_F(PidProvider, ProgramsCheckTheProcessAgainIfTheKernelComparesMemory)
{
    const auto by_links = plans({{"pid4343", "a.out", "main", "entry"}});
    ASSERT_EQ(by_links.size(), 1u);
    EXPECT_EQ(by_links[0]->process_scope, ProcessScope::Any);
    const auto by_events = plans({{"pid4343", "a.out", "main", "entry"}}, {ProgramKind::UprobeMulti});
    ASSERT_EQ(by_events.size(), 1u);
    EXPECT_EQ(by_events[0]->process_scope, ProcessScope::Process);
    EXPECT_EQ(by_events[0]->probes.front().process, test::kTarget);
}

/// A process whose library has functions that may return twice, such as setjmp(), and others with similar names.
class TwiceProcesses final : public test::FrozenProcesses {
public:
    static constexpr uint64_t kWithReturn = 0x3000; ///< address of code that ends with a return instruction

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        std::vector<Function> functions;
        if (!object.is_executable)
            functions.push_back({std::string(pattern), size, kWithReturn});
        return functions;
    }

    uint64_t size = 0xfd;
};

class TwiceKernel final : public test::FrozenKernel {
public:
    TwiceKernel() { runs_on = machine::named("x86_64"); }
    ProcessView& processes() override { return twice; }

    TwiceProcesses twice;
};

TEST(FunctionsThatReturnTwice, AreProbedAtTheirReturnInstructions)
{
    for (const char* name : {"setjmp", "_setjmp", "__sigsetjmp", "getcontext", "swapcontext"}) {
        TwiceKernel kernel;
        const std::unique_ptr<Provider> provider = make_pid_provider(kernel);
        TestSink sink;
        ASSERT_TRUE(provider->match({"pid4343", "libc", name, "return"}, sink)) << name;
        const auto plans = provider->plan({&sink.probes.at(0)}, {}, {});
        ASSERT_EQ(plans.size(), 1u);
        EXPECT_EQ(plans[0]->kind, ProgramKind::UprobeMulti) << name;
        ASSERT_EQ(plans[0]->targets.size(), 1u);
        EXPECT_EQ(plans[0]->targets[0].address, TwiceProcesses::kWithReturn + 0xfc);
    }
}

TEST(FunctionsThatReturnTwice, OtherFunctionsUseTheReturnProbesOfTheKernel)
{
    for (const char* name : {"longjmp", "vfork", "_", "setjmps"}) {
        TwiceKernel kernel;
        const std::unique_ptr<Provider> provider = make_pid_provider(kernel);
        TestSink sink;
        ASSERT_TRUE(provider->match({"pid4343", "libc", name, "return"}, sink)) << name;
        EXPECT_EQ(provider->plan({&sink.probes.at(0)}, {}, {}).at(0)->kind, ProgramKind::UretprobeMulti) << name;
    }
}

TEST(FunctionsThatReturnTwice, HaveNoReturnProbeIfTheirReturnInstructionsAreUnknown)
{
    TwiceKernel kernel;
    kernel.twice.size = 0;
    TestSink sink;
    const auto matched = make_pid_provider(kernel)->match({"pid4343", "libc", "_setjmp", "return"}, sink);
    EXPECT_THAT(matched.error().message,
                testing::HasSubstr("the function may return twice, so only probes at its "
                                   "return instructions are safe, and their addresses are not known"));
}

} // namespace
} // namespace dt::probes
