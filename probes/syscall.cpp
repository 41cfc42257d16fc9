// syscall:vmlinux:<call>:entry and return.
//
// One raw tracepoint per direction serves every call: perf events, one per call, would cost 40-80 ms each to close (docs/design.md, facts).
// The call's number selects the probe: at entry the tracepoint hands it over, at return it is still in the saved registers.
#include <algorithm>
#include <charconv>

#include "dcompiler/arch.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"
#include "probes/syscall_table.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;

// include/trace/events/syscalls.h: sys_enter(struct pt_regs *regs, long id), sys_exit(struct pt_regs *regs, long ret).
constexpr Location kEnterNumber{Kind::ContextWord, 1};
constexpr Location kExitValue{Kind::ContextWord, 1};

/// A word of the registers that the process called with, which the tracepoint hands over.
Location user_register(uint32_t word)
{
    Location location{Kind::UserRegister, word};
    location.of = {Location{Kind::ContextWord, 0}};
    return location;
}

uint32_t number_of(const Probe& probe)
{
    return static_cast<uint32_t>(probe.place / 2);
}
bool is_return(const Probe& probe)
{
    return probe.place % 2 != 0;
}

const SyscallEntry* entry_of(const Probe& probe)
{
    const auto table = syscall_table();
    const auto found =
        std::lower_bound(table.begin(), table.end(), number_of(probe), [](const SyscallEntry& call, uint32_t number) { return call.number < number; });
    return found != table.end() && found->number == number_of(probe) ? &*found : nullptr;
}

AttachPlan tracepoint(bool at_return)
{
    AttachPlan plan;
    plan.kind = ProgramKind::RawTracepoint;
    plan.targets = {{at_return ? "sys_exit" : "sys_enter", 0, 0, nullptr}};
    plan.selector = at_return ? user_register(arch::kSyscallNumber) : kEnterNumber;
    plan.selector_bound = arch::kSyscallBound;
    plan.skip = {Kind::TaskWord, arch::kStatusOffset};
    plan.skip_bits = arch::kCompatStatus;
    plan.never_skipped = Condition{user_register(arch::kSyscallReturn), Condition::Relation::Equal, {}, user_register(arch::kPc)};
    if (at_return) {
        plan.return_value = plan.arguments[0] = plan.arguments[1] = kExitValue;
        return plan;
    }
    for (std::size_t i = 0; i < arch::kSyscallArguments.size(); ++i)
        plan.arguments[i] = user_register(arch::kSyscallArguments[i]);
    return plan;
}

/// The call's own function, of which the kernel lets a kprobe answer in its place: the tracepoint comes too early to know what to skip.
AttachPlan function_entry(const Probe* probe)
{
    AttachPlan plan = tracepoint(false);
    plan.kind = ProgramKind::Kprobe;
    plan.targets = {{arch::kSyscallFunction + probe->function, 0, 0, probe}};
    plan.probes = {{probe, 0}};
    plan.selector.reset();
    plan.skip.reset();
    plan.never_skipped.reset();
    for (Location& argument : plan.arguments)
        argument.of.clear(); // the context is the function's registers
    plan.overrides = true;
    return plan;
}

class SyscallProvider final : public Provider {
public:
    explicit SyscallProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "syscall"; }

    uint32_t places() const override { return 2 * arch::kSyscallBound; }

    ProbePattern canonical(const ProbePattern& pattern) const override
    {
        ProbePattern result = pattern;
        result.function = canonical_syscall(pattern.function);
        return result;
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        const bool entry = glob_match(pattern.name, "entry"), leave = glob_match(pattern.name, "return");
        if (!glob_match(pattern.module, "vmlinux") || (!entry && !leave))
            return {};
        const auto add = [&](const SyscallEntry& call, std::string_view function) {
            if (entry)
                sink.add(described(call, function, false));
            if (leave)
                sink.add(described(call, function, true));
        };
        for (const SyscallEntry& call : syscall_table())
            if (glob_match(pattern.function, call.name) && (call.everywhere || kernel_.has_syscall(call.name)))
                add(call, call.name);
        if (const auto number = unnamed_number(pattern.function))
            add(SyscallEntry{*number, {}, true, {}}, pattern.function);
        return {};
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        for (const SyscallEntry& call : syscall_table())
            if (!call.everywhere && glob_match(pattern.function, call.name) && !kernel_.has_syscall(call.name))
                visit("syscall::" + std::string(call.name), "this kernel does not have the system call: it is too old, or built without it");
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        if (is_return(probe)) {
            signature.arguments = {{"long", {}, 0}, {"long", {}, 1}};
            return signature;
        }
        const SyscallEntry* call = entry_of(probe);
        signature.overridable = call != nullptr;
        for (std::size_t i = 0; call && i < call->parameter_count(); ++i)
            signature.arguments.push_back({std::string(call->parameters[i]), {}, static_cast<uint8_t>(i), is_user_pointer(call->parameters[i])});
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds& needs, const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        AttachPlan enter = tracepoint(false), leave = tracepoint(true);
        for (const Probe* probe : probes)
            if (needs.overrides && !is_return(*probe) && entry_of(*probe))
                plans.push_back(std::make_shared<const AttachPlan>(function_entry(probe)));
            else
                (is_return(*probe) ? leave : enter).probes.push_back({probe, number_of(*probe)});
        for (AttachPlan* plan : {&enter, &leave})
            if (!plan->probes.empty())
                plans.push_back(std::make_shared<const AttachPlan>(std::move(*plan)));
        return plans;
    }

private:
    /// "syscall_500": a call that this build has no name for.
    static std::optional<uint32_t> unnamed_number(std::string_view function)
    {
        static constexpr std::string_view kPrefix = "syscall_";
        if (!function.starts_with(kPrefix))
            return {};
        uint32_t number = 0;
        const char* end = function.data() + function.size();
        const auto [stop, error] = std::from_chars(function.data() + kPrefix.size(), end, number);
        if (error != std::errc{} || stop != end || number >= arch::kSyscallBound || function != "syscall_" + std::to_string(number))
            return {};
        for (const SyscallEntry& call : syscall_table())
            if (call.number == number)
                return {};
        return number;
    }

    static Probe described(const SyscallEntry& call, std::string_view function, bool at_return)
    {
        Probe probe;
        probe.place = 2 * call.number + at_return;
        probe.provider = "syscall";
        probe.module = "vmlinux";
        probe.function = function;
        probe.name = at_return ? "return" : "entry";
        probe.attributes = &kSyscallAttributes;
        probe.enters_kernel = true;
        return probe;
    }

    KernelView& kernel_;
};

} // namespace

std::unique_ptr<Provider> make_syscall_provider(KernelView& kernel)
{
    return std::make_unique<SyscallProvider>(kernel);
}

} // namespace dt::probes
