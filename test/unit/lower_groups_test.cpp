// Tests how the probes of a script are distributed to BPF programs, with and without attach cookies and
// bpf_get_func_ip().
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace dt {
namespace {

using test::DProgram;

const std::string kTwoFunctions = "pid4343:shop:main:entry { trace(1); } pid4343:shop:helper:entry { trace(2); }";

TEST(Groups, OneProgramServesSeveralFunctionsByTheirCookies)
{
    DProgram program(kTwoFunctions);
    ASSERT_EQ(program.problem(), "");
    ASSERT_EQ(program.schema().programs.size(), 1u);
    EXPECT_EQ(program.schema().programs[0].plan->targets.size(), 2u);
    EXPECT_TRUE(program.schema().programs[0].plan->selector);
}

TEST(Groups, WithoutCookiesEachFunctionHasAProgramOfItsOwn)
{
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried.attach_cookie = false;
    DProgram program(kTwoFunctions, 2, {}, 0, std::move(world));
    ASSERT_EQ(program.problem(), "");
    ASSERT_EQ(program.schema().programs.size(), 2u);
    for (const ProgramPlan& each : program.schema().programs) {
        EXPECT_EQ(each.probes.size(), 1u);
        EXPECT_FALSE(each.plan->selector);
        ASSERT_EQ(each.plan->targets.size(), 1u);
        EXPECT_EQ(each.plan->targets[0].cookie, 0u);
        EXPECT_EQ(each.plan->targets[0].probe, each.plan->probes[0].probe);
    }
}

/// A kernel without bpf_get_func_ip(). The probe has a fixed attach plan, and the functions `second` and `third` have
/// addresses.
class PlannedWorld final : public test::FrozenWorld, public ProbeSource {
public:
    explicit PlannedWorld(AttachPlan plan) : plan_(std::move(plan)) { tried.func_ip = false; }

    ProbeSource& probes() override { return *this; }
    std::optional<KernelSymbol> symbol(std::string_view, std::string_view name) override
    {
        return name == "second"  ? std::optional(KernelSymbol{0x2000, 16, "vmlinux"})
               : name == "third" ? std::optional(KernelSymbol{0x3000, 16, "vmlinux"})
                                 : std::nullopt;
    }

    Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) override
    {
        return FrozenWorld::probes().find(pattern, found);
    }
    const Probe* probe(uint32_t id) override { return FrozenWorld::probes().probe(id); }
    bool has_provider(std::string_view name) override { return FrozenWorld::probes().has_provider(name); }
    const ProbeSignature& signature(const Probe& probe) override { return FrozenWorld::probes().signature(probe); }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds&) override
    {
        plan_.probes = {{probes.front(), 0}};
        return {std::make_shared<const AttachPlan>(plan_)};
    }

private:
    AttachPlan plan_;
};

/// Returns an attach plan for the returns of functions. A program at the hook "start" records their calls.
AttachPlan returns_of(const std::vector<std::string>& functions)
{
    AttachPlan start;
    start.kind = ProgramKind::Kprobe;
    start.targets = {{"start", 0, 0, nullptr}};
    start.arguments[0] = {Location::Kind::Constant, 0, 7};
    start.key = {{Location::Kind::Constant, 0, 1}};
    AttachPlan plan;
    plan.kind = ProgramKind::Kretprobe;
    for (const std::string& function : functions)
        plan.targets.push_back({function, 0, 0, nullptr});
    plan.arguments[0] = {Location::Kind::Recorded};
    plan.arguments[1] = {Location::Kind::Elapsed, 1};
    plan.key = start.key;
    plan.start_hook = std::make_shared<const AttachPlan>(std::move(start));
    return plan;
}

using Values = std::vector<std::string>;

TEST(Groups, WithoutTheAddressOfTheReturnedFunctionEachFunctionHasAProgramOfItsOwn)
{
    DProgram program("syscall::read:return { trace(arg0); stack(1); }", 2, {}, 0,
                     std::make_unique<PlannedWorld>(returns_of({"second", "third"})));
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.schema().programs.size(), 3u) << "one for the start, which both functions share";
    program.fire("start");
    EXPECT_EQ(program.fire("second").values, (Values{"7", std::to_string(0x2000)}));
    program.fire("start");
    EXPECT_EQ(program.fire("third").values, (Values{"7", std::to_string(0x3000)}));
    EXPECT_EQ(program.fire("third").values, Values()) << "nothing was started";
}

TEST(Groups, ProgramsWithoutKernelStacksServeSeveralFunctions)
{
    DProgram program("syscall::read:return { trace(arg0); ustack(1); }", 2, {}, 0,
                     std::make_unique<PlannedWorld>(returns_of({"second", "third"})));
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.schema().programs.size(), 2u);
}

TEST(Groups, OfAlternativesTheFirstFunctionThatTheKernelHasIsUsed)
{
    AttachPlan plan = returns_of({"missing", "second", "third"});
    plan.alternatives = true;
    DProgram program("syscall::read:return { stack(1); }", 2, {}, 0, std::make_unique<PlannedWorld>(std::move(plan)));
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.schema().programs.size(), 2u);
    program.fire("start");
    EXPECT_EQ(program.fire("second").values, Values{std::to_string(0x2000)});
}

TEST(Groups, AStackThatBeginsWithAnUnknownAddressIsRefused)
{
    DProgram program("syscall::read:return { stack(1); }", 2, {}, 0,
                     std::make_unique<PlannedWorld>(returns_of({"second", "missing"})));
    EXPECT_NE(program.problem().find("missing"), std::string::npos) << program.problem();
}

TEST(Groups, AHookBetweenStartAndEndBeginsAPhase)
{
    AttachPlan plan = returns_of({"second"}), sleep = *plan.start_hook;
    sleep.targets = {{"sleep", 0, 0, nullptr}};
    sleep.arguments[0] = {};
    sleep.arguments[1] = {Location::Kind::Constant, 0, 1};
    sleep.start_hook = plan.start_hook;
    plan.start_hook = std::make_shared<const AttachPlan>(std::move(sleep));
    DProgram program("syscall::read:return { trace(arg0); trace(arg1 != 0); }", 2, {}, 0,
                     std::make_unique<PlannedWorld>(std::move(plan)));
    ASSERT_EQ(program.problem(), "");
    program.vm().environment.time_step = 5;
    program.fire("sleep");
    EXPECT_EQ(program.fire("second").values, Values()) << "the phase does not start an activity";
    program.fire("start");
    EXPECT_EQ(program.fire("second").values, (Values{"7", "0"}));
    program.fire("start");
    program.fire("sleep");
    EXPECT_EQ(program.fire("second").values, (Values{"7", "1"}));
}

} // namespace
} // namespace dt
