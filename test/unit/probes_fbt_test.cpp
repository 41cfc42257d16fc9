// Tests the provider fbt with artificial kernel functions (dtrace-providers(7), fbt), and a probe registry with 60,000
// functions.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

#include "probes/kernel/trace_events.hpp"
#include "probes/probe_registry.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

/// Type information of a core kernel with the functions f0, f1, … (type ids from 1 on) and __traceiter_x.
class ManyFunctions final : public KernelTypes {
public:
    explicit ManyFunctions(uint32_t count, bool can_call_one = false) : count_(count), can_call_one_(can_call_one) {}

    const Type* find(TypeTable&, TypeNamespace, std::string_view, std::string_view) override { return nullptr; }
    std::vector<std::string> modules() override { return {"vmlinux"}; }
    std::optional<uint32_t> function_id(std::string_view module, std::string_view name) override
    {
        if (can_call_one_ && name == "bpf_tracing_multi_attach")
            return count_ + 2;
        const uint32_t number = name.starts_with("f") ? static_cast<uint32_t>(std::atoi(name.data() + 1)) : count_;
        return module == "vmlinux" && number < count_ ? std::optional(number + 1) : std::nullopt;
    }
    std::optional<Prototype> prototype(std::string_view module, std::string_view name) override
    {
        return function_id(module, name) ? std::optional(Prototype{2, name != "f1", name == "f2"}) : std::nullopt;
    }
    void for_each_function(std::string_view, const VisitFunction& visit) override
    {
        ++listings;
        for (uint32_t i = 0; i < count_; ++i)
            visit("f" + std::to_string(i), i + 1);
        visit("__traceiter_x", count_ + 1);
    }
    const Type* tracepoint_type(TypeTable&, std::string_view, std::string_view) override { return nullptr; }
    std::optional<Prototype> tracepoint_prototype(std::string_view, std::string_view) override { return std::nullopt; }
    std::optional<uint32_t> tracepoint_id(std::string_view, std::string_view) override { return std::nullopt; }
    void for_each_tracepoint(std::string_view, const VisitFunction&) override {}
    std::optional<MemberLocation> member(std::string_view, std::string_view, std::string_view) override
    {
        return std::nullopt;
    }

    int listings = 0;

private:
    uint32_t count_;
    bool can_call_one_;
};

using Functions = std::vector<KernelFunction>;

/// A kernel like Linux 7.2, in which one program can be attached to many functions (fentry.multi).
class Calling final : public test::FrozenKernel {
public:
    explicit Calling(Functions listed) : listed_(std::move(listed)) {}
    KernelTypes* types() override { return &types_; }
    std::span<const KernelFunction> traceable() override { return listed_; }

private:
    ManyFunctions types_{3, true};
    Functions listed_;
};

class KernelOfFunctions final : public test::FrozenKernel {
public:
    explicit KernelOfFunctions(uint32_t functions) : types_(functions) {}
    KernelTypes* types() override { return &types_; }
    const std::vector<TraceEvent>& trace_events() override
    {
        asked_for_events = true;
        return FrozenKernel::trace_events();
    }
    int listings() const { return types_.listings; }

    bool asked_for_events = false;

private:
    ManyFunctions types_;
};

std::vector<std::string> names(Provider& provider, const ProbePattern& pattern)
{
    TestSink sink;
    EXPECT_TRUE(provider.match(pattern, sink));
    std::vector<std::string> found;
    for (const Probe& probe : sink.probes)
        found.push_back(probe.module + ":" + probe.function + ":" + probe.name);
    return found;
}

TEST(FbtProvider, AnExactNameIsFoundWithoutTheListOfAllFunctions)
{
    KernelOfFunctions kernel(100);
    const auto provider = make_fbt_provider(kernel);
    EXPECT_THAT(names(*provider, {"fbt", "", "f7", ""}), testing::ElementsAre("vmlinux:f7:entry", "vmlinux:f7:return"));
    EXPECT_THAT(names(*provider, {"fbt", "vmlinux", "f8", "return"}), testing::ElementsAre("vmlinux:f8:return"));
    EXPECT_THAT(names(*provider, {"fbt", "", "nosuch", ""}), testing::IsEmpty());
    EXPECT_EQ(kernel.listings(), 0);
}

TEST(FbtProvider, APatternSkipsSymbolsThatCannotBeProbed)
{
    KernelOfFunctions kernel(3);
    EXPECT_THAT(names(*make_fbt_provider(kernel), {"fbt", "", "*", "entry"}),
                testing::ElementsAre("vmlinux:f0:entry", "vmlinux:f1:entry", "vmlinux:f2:entry"));
}

TEST(FbtProvider, MissingTypeInformationIsReported)
{
    test::FrozenKernel kernel;
    TestSink sink;
    const Result<void> looked = make_fbt_provider(kernel)->match({"fbt", "", "f1", "entry"}, sink);
    ASSERT_FALSE(looked);
    EXPECT_THAT(looked.error().message, testing::HasSubstr("CONFIG_DEBUG_INFO_BTF"));
}

TEST(FbtProvider, TheReturnProbeOfAVoidFunctionHasNoValueAsArg1)
{
    KernelOfFunctions kernel(3);
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "f*", "return"}, sink));
    EXPECT_EQ(provider->signature(*sink.named("f0", "return")).arguments.size(), 2u);
    EXPECT_EQ(provider->signature(*sink.named("f1", "return")).arguments.size(), 1u);
}

TEST(FbtProvider, EntriesShareOneProgramAndReturnsAnotherWithCookiesAsIds)
{
    KernelOfFunctions kernel(50);
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "*", ""}, sink));
    std::vector<const Probe*> probes;
    for (const Probe& probe : sink.probes)
        probes.push_back(&probe);
    const auto plans = provider->plan(probes, {}, {});
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[0]->kind, ProgramKind::KprobeMulti);
    EXPECT_EQ(plans[1]->kind, ProgramKind::KretprobeMulti);
    ASSERT_EQ(plans[0]->targets.size(), 50u);
    EXPECT_EQ(plans[0]->selector->kind, Location::Kind::Cookie);
    EXPECT_EQ(plans[0]->selector_bound, 50u);
    for (std::size_t i = 0; i < 50; ++i)
        EXPECT_EQ(plans[0]->targets[i].cookie, plans[0]->probes[i].selector);
}

TEST(FbtProvider, FunctionsThatTheKernelHasRefusedAreNotTriedAgain)
{
    KernelOfFunctions kernel(3);
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "f0", "entry"}, sink));
    const auto plans = provider->plan({&sink.probes[0]}, {}, {ProgramKind::KprobeMulti});
    EXPECT_EQ(plans.at(0)->kind, ProgramKind::Kprobe);
    EXPECT_FALSE(plans.at(0)->has_fallback);
    EXPECT_FALSE(plans.at(0)->selector) << "one probe needs no cookie";
}

/// A kernel with unusual functions: two named f0, a clone of f1, copies of a function without a type, and functions
/// that patterns skip.
class Listed final : public test::FrozenKernel {
public:
    KernelTypes* types() override { return &types_; }
    std::span<const KernelFunction> traceable() override { return kListed; }
    void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view>) override
    {
        visit("vmlinux", "f0", 0x100);
        visit("vmlinux", "f0", 0x200);
        visit("ext4", "f0", 0x300);
        visit("vmlinux", "f1.isra.0", 0x400);
        visit("vmlinux", "plain.part.0", 0x500);
        visit("vmlinux", "plain.part.0.cold", 0x580);
        visit("vmlinux", "plain.constprop.0", 0x600);
    }
    bool wants_all_functions() override { return all; }

    bool all = false;

private:
    static constexpr KernelFunction kListed[] = {
        {"__rcu_read", "vmlinux"},        {"f0", "vmlinux"},           {"f1.isra.0", "vmlinux"},
        {"plain.constprop.0", "vmlinux"}, {"plain.part.0", "vmlinux"}, {"rcu_note", "vmlinux"},
    };
    ManyFunctions types_{3};
};

TEST(FbtProvider, ACloneOfAFunctionMatchesTheBaseNameWithOrWithoutTypes)
{
    Listed kernel;
    const auto provider = make_fbt_provider(kernel);
    EXPECT_THAT(names(*provider, {"fbt", "", "*", "entry"}),
                testing::ElementsAre("vmlinux:f0:entry", "vmlinux:f1:entry", "vmlinux:plain:entry"));
    EXPECT_THAT(names(*provider, {"fbt", "", "plain", "entry"}), testing::ElementsAre("vmlinux:plain:entry"));
    EXPECT_THAT(names(*provider, {"fbt", "", "plain.part.0", "entry"}), testing::IsEmpty());
    TestSink sink;
    ASSERT_TRUE(provider->match({"fbt", "", "*", "entry"}, sink));
    EXPECT_EQ(provider->signature(*sink.named("f0", "entry")).note(), "");
    EXPECT_EQ(provider->signature(*sink.named("f1", "entry")).note(),
              "The compiler replaced it by f1.isra.0: arguments may differ");
    EXPECT_EQ(provider->signature(*sink.named("plain", "entry")).arguments.at(0).native, "uint64_t");
}

TEST(FbtProvider, APatternSkipsHarmfulFunctionsUnlessFbtall)
{
    Listed kernel;
    const auto provider = make_fbt_provider(kernel);
    EXPECT_THAT(names(*provider, {"fbt", "", "*rcu_*", "entry"}), testing::IsEmpty());
    EXPECT_THAT(names(*provider, {"fbt", "", "rcu_note", "entry"}), testing::ElementsAre("vmlinux:rcu_note:entry"));
    kernel.all = true;
    EXPECT_THAT(names(*provider, {"fbt", "", "*rcu_*", "entry"}),
                testing::UnorderedElementsAre("vmlinux:rcu_note:entry", "vmlinux:__rcu_read:entry"));
}

TEST(FbtProvider, TheErrorForAFunctionWithoutAProbeStatesTheReason)
{
    Listed kernel;
    std::vector<std::string> absent;
    make_fbt_provider(kernel)->explain_absent(
        {"fbt", "", "*", "entry"},
        [&](const std::string& what, std::string_view reason) { absent.push_back(what + ": " + std::string(reason)); });
    EXPECT_THAT(absent, testing::ElementsAre(
                            "fbt:vmlinux:f2: the kernel does not list it as traceable",
                            testing::HasSubstr("fbt:vmlinux:__traceiter_x: it runs the programs of a tracepoint")));
}

TEST(FbtProvider, AllFunctionsWithTheSameNameAreTargets)
{
    Listed kernel;
    const auto provider = make_fbt_provider(kernel);
    const auto places = [&](const char* function) {
        std::vector<uint64_t> found;
        const auto plan = plan_of(*provider, {"fbt", "vmlinux", function, "entry"});
        for (const AttachTarget& target : plan->targets)
            found.push_back(target.address);
        return found;
    };
    EXPECT_THAT(places("f0"), testing::ElementsAre(0x100, 0x200));
    EXPECT_THAT(places("f1"), testing::ElementsAre(0x400));
    EXPECT_THAT(places("plain"), testing::ElementsAre(0x500, 0x600));
    EXPECT_THAT(places("f2"), testing::ElementsAre(0)) << "by name";
}

TEST(FbtProvider, EachOfAFewFunctionsHasItsOwnProgram)
{
    KernelOfFunctions kernel(3); // three functions; the parameters of f2 are integers or pointers
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "f2", ""}, sink));
    ASSERT_TRUE(provider->match({"fbt", "", "f0", "entry"}, sink));
    const std::vector<const Probe*> probes{sink.named("f2", "entry"), sink.named("f2", "return"),
                                           sink.named("f0", "entry")};
    const auto plans = provider->plan(probes, {}, {});
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0]->kind, ProgramKind::Fentry);
    EXPECT_EQ(plans[0]->arguments[1], (Location{Location::Kind::ContextWord, 1}));
    EXPECT_EQ(plans[0]->arguments[2].kind, Location::Kind::Zero) << "behind the last";
    EXPECT_EQ(plans[1]->kind, ProgramKind::Fexit);
    EXPECT_EQ(plans[1]->arguments[0].offset, -1);
    EXPECT_EQ(plans[1]->arguments[1], (Location{Location::Kind::ContextWord, 2})) << "behind the arguments";
    EXPECT_TRUE(plans[1]->has_fallback);
    EXPECT_EQ(plans[2]->kind, ProgramKind::KprobeMulti);
    for (const auto& plan : provider->plan(probes, {}, {ProgramKind::Fentry}))
        EXPECT_TRUE(plan->kind == ProgramKind::KprobeMulti || plan->kind == ProgramKind::KretprobeMulti);
}

TEST(FbtProvider, ManyFunctionsShareOneProgram)
{
    KernelOfFunctions kernel(3);
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "f2", "entry"}, sink));
    EXPECT_EQ(provider->plan(std::vector<const Probe*>(8, &sink.probes.front()), {}, {}).size(), 8u);
    EXPECT_EQ(provider->plan(std::vector<const Probe*>(9, &sink.probes.front()), {}, {}).size(), 1u);
}

/// Makes attach plans for f2:entry eight times, f2:return and f0:entry. Returns for each kind of BPF program the number
/// of probes.
std::map<ProgramKind, std::size_t> kinds_of(KernelView& kernel, const RefusedKinds& refused)
{
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    EXPECT_TRUE(provider->match({"fbt", "", "f2", ""}, sink));
    EXPECT_TRUE(provider->match({"fbt", "", "f0", "entry"}, sink));
    std::vector<const Probe*> probes(8, sink.named("f2", "entry"));
    probes.push_back(sink.named("f2", "return"));
    probes.push_back(sink.named("f0", "entry"));
    std::map<ProgramKind, std::size_t> kinds;
    for (const auto& plan : provider->plan(probes, {}, refused))
        kinds[plan->kind] = plan->probes.size();
    return kinds;
}

TEST(FbtProvider, ManyFunctionsShareAnFentryProgramThatCanDistinguishThem)
{
    using Kinds = std::map<ProgramKind, std::size_t>;
    const Kinds by_kprobes{{ProgramKind::KprobeMulti, 9}, {ProgramKind::KretprobeMulti, 1}};
    Calling kernel(Functions{{"f0", "vmlinux"}, {"f1", "vmlinux"}, {"f2", "vmlinux"}});
    EXPECT_EQ(kinds_of(kernel, {}),
              (Kinds{{ProgramKind::FentryMulti, 8}, {ProgramKind::KretprobeMulti, 1}, {ProgramKind::KprobeMulti, 1}}))
        << "f0's parameters are no words";
    EXPECT_EQ(kinds_of(kernel, {ProgramKind::FentryMulti}), by_kprobes);
    Calling twice(Functions{{"f2", "vmlinux"}, {"f2", "vmlinux"}}), clone(Functions{{"f2.isra.0", "vmlinux"}}),
        silent(Functions{});
    for (KernelView* each : {&twice, &clone, &silent})
        EXPECT_EQ(kinds_of(*each, {}), by_kprobes);
}

TEST(FbtProvider, ASharedProgramReadsArgumentsWithAHelper)
{
    Calling kernel(Functions{{"f2", "vmlinux"}});
    TestSink sink;
    const auto provider = make_fbt_provider(kernel);
    ASSERT_TRUE(provider->match({"fbt", "", "f2", ""}, sink));
    std::vector<const Probe*> probes(8, sink.named("f2", "entry"));
    probes.push_back(sink.named("f2", "return"));
    const auto plans = provider->plan(probes, {}, {});
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[0]->arguments[5], (Location{Location::Kind::FunctionArgument, 5}));
    EXPECT_EQ(plans[0]->targets[7].type, 3u);
    EXPECT_EQ(plans[0]->targets[7].cookie, 7u);
    EXPECT_TRUE(plans[0]->has_fallback);
    EXPECT_EQ(plans[1]->kind, ProgramKind::KretprobeMulti);
}

TEST(RawFbtProvider, EverySymbolHasAProbeByItsExactName)
{
    Listed kernel;
    const auto provider = make_rawfbt_provider(kernel);
    EXPECT_FALSE(provider->serves(""));
    EXPECT_THAT(names(*provider, {"rawfbt", "", "plain.*", "return"}),
                testing::ElementsAre("vmlinux:plain.constprop.0:return", "vmlinux:plain.part.0:return"));
    EXPECT_THAT(names(*provider, {"rawfbt", "", "plain", ""}), testing::IsEmpty());
    const auto plan = plan_of(*provider, {"rawfbt", "", "plain.part.0", "return"});
    EXPECT_EQ(plan->targets.at(0).address, 0x500u);
    EXPECT_EQ(plan->targets.size(), 1u);
}

TEST(FbtProvider, TracesOfTheSameProbesShareAnAttachPlanAsLongAsOneUsesIt)
{
    Listed kernel;
    const auto provider = make_fbt_provider(kernel);
    TestSink sink;
    ASSERT_TRUE(provider->match({"fbt", "", "*", "entry"}, sink));
    std::vector<const Probe*> probes;
    for (const Probe& probe : sink.probes)
        probes.push_back(&probe);
    auto first = provider->plan(probes, {}, {});
    EXPECT_EQ(provider->plan(probes, {}, {}), first);
    EXPECT_NE(provider->plan(probes, {}, {ProgramKind::KprobeMulti}), first);
    EXPECT_NE(provider->plan({probes[0]}, {}, {}), first);
    const std::weak_ptr<const AttachPlan> plan = first.front();
    first.clear();
    EXPECT_TRUE(plan.expired());
    EXPECT_FALSE(provider->plan(probes, {}, {}).empty());
}

TEST(ProbeRegistry, SixtyThousandFunctionsAreListedOnceAndFoundByNumber)
{
    KernelOfFunctions kernel(60'000);
    ProbeRegistry registry(all_providers(kernel));
    std::vector<const Probe*> all;
    ASSERT_TRUE(registry.find({"fbt", "", "", ""}, all));
    EXPECT_EQ(all.size(), 120'000u);
    EXPECT_EQ(registry.probe(all[70'001]->id), all[70'001]);
}

TEST(ProbeRegistry, DescriptionsWithoutPatternsNeverScanAllProbes)
{
    KernelOfFunctions kernel(60'000);
    ProbeRegistry registry(all_providers(kernel));
    for (int i = 0; i < 1'000; ++i) {
        std::vector<const Probe*> found;
        ASSERT_TRUE(registry.find({"fbt", "vmlinux", "f" + std::to_string(i), "entry"}, found));
        ASSERT_EQ(found.size(), 1u);
    }
    EXPECT_EQ(kernel.listings(), 0);
}

TEST(ProbeRegistry, ASearchForBeginDoesNotReadTheListOfKernelEvents)
{
    KernelOfFunctions kernel(10);
    ProbeRegistry registry(all_providers(kernel));
    std::vector<const Probe*> found;
    ASSERT_TRUE(registry.find({"", "", "", "BEGIN"}, found));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]->id, kBeginProbe);
    EXPECT_FALSE(kernel.asked_for_events);
}

TEST(ProbeRegistry, IdsDoNotDependOnEarlierQueries)
{
    KernelOfFunctions kernel(1'000);
    ProbeRegistry all(all_providers(kernel)), one(all_providers(kernel));
    std::vector<const Probe*> listed, found, on_demand;
    ASSERT_TRUE(all.find({}, listed));
    ASSERT_TRUE(one.find({"profile", "", "", "tick-123ms"}, on_demand));
    ASSERT_TRUE(one.find({"fbt", "", "f500", "return"}, found));
    EXPECT_EQ(all.probe(found.at(0)->id)->full_name(), "fbt:vmlinux:f500:return");
    EXPECT_LT(on_demand.at(0)->id, 10'000u) << "short to read";
}

} // namespace
} // namespace dt::probes
