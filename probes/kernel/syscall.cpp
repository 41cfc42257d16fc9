// syscall:vmlinux:<call>:entry and return.
//
// One raw tracepoint for entry and one for return serve all system calls. A perf event for each call would take 40 to
// 80 ms to close (docs/kernels.md). The number of the system call selects the probe. The entry tracepoint passes the
// number as an argument, and at return the saved registers still contain it.
#include <algorithm>
#include <charconv>

#include "machine/machine.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using machine::SystemCalls;

// The two tracepoints of include/trace/events/syscalls.h: sys_enter(struct pt_regs *regs, long id), sys_exit(struct
// pt_regs *regs, long ret).
constexpr Location kEnterNumber{Kind::ContextWord, 1};
constexpr Location kExitValue{Kind::ContextWord, 1};

/// Returns the selector for a system call that only 32-bit programs have. A selector is the number by which the program
/// that all probes share recognizes a probe.
uint32_t compat_only(uint32_t number)
{
    return machine::kSyscallBound + number;
}

/// Returns a table from the numbers of 32-bit system calls to selectors, the numbers by which the program recognizes
/// probes. A 32-bit call has the selector of the 64-bit call with the same name, even if the numbers of both calls
/// differ.
std::vector<uint16_t> compat_selectors(const SystemCalls& calls)
{
    std::vector<uint16_t> selectors(machine::kSyscallBound, CompatSyscalls::kNoProbe);
    for (uint32_t number = machine::kSameSyscalls; number < machine::kSyscallBound; ++number)
        selectors[number] = static_cast<uint16_t>(number);
    for (const machine::NarrowSyscall& call : calls.narrow_table()) {
        const machine::SyscallEntry* const same = calls.find(calls.canonical(call.name));
        selectors[call.number] = static_cast<uint16_t>(same ? same->number : compat_only(call.number));
    }
    return selectors;
}

/// Returns the location of a word of the process's registers; an argument of the tracepoint points to these registers.
Location user_register(uint32_t word)
{
    Location location{Kind::UserRegister, word};
    location.of = {Location{Kind::ContextWord, 0}};
    return location;
}

/// Returns the location of the system call's number at its return.
Location exit_number(const SystemCalls& calls)
{
    Location location = number_of_call(calls);
    location.of = {Location{Kind::ContextWord, 0}};
    return location;
}

Location call_argument(const SystemCalls& calls, std::size_t argument)
{
    Location location = user_register(calls.arguments[argument]);
    location.kind = Kind::CallArgument;
    location.scaled = calls.narrow_arguments[argument];
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

const machine::SyscallEntry* entry_of(const SystemCalls& calls, const Probe& probe)
{
    const auto table = calls.table();
    const auto found =
        std::lower_bound(table.begin(), table.end(), number_of(probe),
                         [](const machine::SyscallEntry& call, uint32_t number) { return call.number < number; });
    return found != table.end() && found->number == number_of(probe) ? &*found : nullptr;
}

/// Returns a condition that is true only in calls of 64-bit programs. On machines whose registers do not show whether
/// the program has 64 bits, the condition is never true.
Condition native_call_test(const machine::Machine& machine)
{
    const std::optional<machine::Word> address = machine.syscalls.return_address;
    return address ? Condition{user_register(*address), Condition::Relation::Equal, {}, user_register(machine.saved.pc)}
                   : Condition{{Kind::Constant, 0, 1}, Condition::Relation::Equal, {}, Location{Kind::Constant, 0, 0}};
}

AttachPlan tracepoint(const machine::Machine& machine, bool at_return)
{
    AttachPlan plan;
    plan.kind = ProgramKind::RawTracepoint;
    plan.targets = {{at_return ? "sys_exit" : "sys_enter", 0, 0, nullptr}};
    plan.selector = at_return ? exit_number(machine.syscalls) : kEnterNumber;
    plan.selector_bound = 2 * machine::kSyscallBound;
    plan.compat_syscalls = CompatSyscalls{native_call_test(machine),
                                          {Kind::TaskWord, machine.syscalls.status_offset},
                                          machine.syscalls.narrow_status_bit,
                                          compat_selectors(machine.syscalls)};
    if (at_return) {
        plan.return_value = plan.arguments[0] = plan.arguments[1] = kExitValue;
        return plan;
    }
    for (std::size_t i = 0; i < machine.syscalls.arguments.size(); ++i)
        plan.arguments[i] = call_argument(machine.syscalls, i);
    return plan;
}

/// Plans a kprobe on the kernel function of the call, because the action return() must replace that function. A
/// program at the tracepoint cannot prevent the call.
AttachPlan function_entry(const machine::Machine& machine, const Probe* probe)
{
    AttachPlan plan = tracepoint(machine, false);
    plan.kind = ProgramKind::Kprobe;
    plan.targets = {{std::string(machine.syscalls.function_prefix) + probe->function, 0, 0, probe}};
    plan.probes = {{probe, 0}};
    plan.selector.reset();
    plan.compat_syscalls.reset();
    for (std::size_t i = 0; i < machine.syscalls.arguments.size(); ++i)
        // The kprobe's context contains the registers at the entry of the kernel function.
        plan.arguments[i] = {Kind::UserRegister, machine.syscalls.arguments[i]};
    plan.overrides = true;
    return plan;
}

class SyscallProvider final : public Provider {
public:
    explicit SyscallProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "syscall"; }

    uint32_t places() const override { return 4 * machine::kSyscallBound; }

    ProbePattern canonical(const ProbePattern& pattern) const override
    {
        ProbePattern result = pattern;
        result.function = calls().canonical(pattern.function);
        return result;
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        const bool entry = glob_match(pattern.name, "entry"), leave = glob_match(pattern.name, "return");
        if (!glob_match(pattern.module, "vmlinux") || (!entry && !leave))
            return {};
        const auto add = [&](const machine::SyscallEntry& call, std::string_view function) {
            if (entry)
                sink.add(described(call, function, false));
            if (leave)
                sink.add(described(call, function, true));
        };
        for (const machine::SyscallEntry& call : calls().table())
            if (glob_match(pattern.function, call.name) && (call.everywhere || kernel_.has_syscall(call.name)))
                add(call, call.name);
        if (kernel_.has_compat_syscalls())
            for (const machine::NarrowSyscall& call : calls().narrow_table())
                if (glob_match(pattern.function, call.name) && !calls().find(calls().canonical(call.name)) &&
                    !(pattern.function == call.name && has_stand_in(pattern)))
                    add(machine::SyscallEntry{compat_only(call.number), {}, true, {}}, call.name);
        if (const auto number = unnamed_number(pattern.function))
            add(machine::SyscallEntry{*number, {}, true, {}}, pattern.function);
        return {};
    }

    void explain_absent(const ProbePattern& pattern, const VisitAbsent& visit) override
    {
        for (const machine::SyscallEntry& call : calls().table())
            if (!call.everywhere && glob_match(pattern.function, call.name) && !kernel_.has_syscall(call.name))
                visit("syscall::" + std::string(call.name),
                      "this kernel does not have the system call: it is too old, or built without it");
        if (has_stand_in(pattern))
            visit("syscall::" + std::string(pattern.function),
                  std::string(kernel_.machine().words) + " has no such system call: programs call " +
                      std::string(calls().stand_in(pattern.function)) + " instead");
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        signature.note = [this, &probe] { return note(probe); };
        if (is_return(probe)) {
            signature.arguments = {{"long", {}, 0}, {"long", {}, 1}};
            return signature;
        }
        const machine::SyscallEntry* call = entry_of(calls(), probe);
        signature.overridable = call != nullptr;
        for (std::size_t i = 0; call && i < call->parameter_count(); ++i)
            signature.arguments.push_back({std::string(call->parameters[i]),
                                           {},
                                           static_cast<uint8_t>(i),
                                           machine::is_user_pointer(call->parameters[i])});
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds& needs, const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        AttachPlan enter = tracepoint(kernel_.machine(), false), leave = tracepoint(kernel_.machine(), true);
        for (const Probe* probe : probes)
            if (needs.overrides && !is_return(*probe) && entry_of(calls(), *probe))
                plans.push_back(std::make_shared<const AttachPlan>(function_entry(kernel_.machine(), probe)));
            else
                (is_return(*probe) ? leave : enter).probes.push_back({probe, number_of(*probe)});
        for (AttachPlan* plan : {&enter, &leave})
            if (!plan->probes.empty())
                plans.push_back(std::make_shared<const AttachPlan>(std::move(*plan)));
        return plans;
    }

private:
    const SystemCalls& calls() const { return kernel_.machine().syscalls; }

    /// Returns whether this machine lacks the system call, so that programs make another one instead. Its exact name
    /// then matches no probe, because a user of this name wants to trace all programs. Only a glob matches the 32-bit
    /// call with this name.
    bool has_stand_in(const ProbePattern& pattern) const { return !calls().stand_in(pattern.function).empty(); }

    /// Returns a remark that says whether only 32-bit or only 64-bit programs can make the call.
    std::string note(const Probe& probe) const
    {
        const uint32_t number = number_of(probe);
        if (number >= machine::kSyscallBound)
            return "Only in 32-bit programs, where its number is " + std::to_string(number - machine::kSyscallBound);
        if (!kernel_.has_compat_syscalls())
            return {};
        const auto table = calls().narrow_table();
        const auto same = std::find_if(table.begin(), table.end(), [&](const machine::NarrowSyscall& call) {
            return calls().canonical(call.name) == probe.function;
        });
        if (same == table.end() && number < machine::kSameSyscalls)
            return "Only in 64-bit programs";
        const uint32_t narrow = same == table.end() ? number : same->number;
        return narrow == number ? std::string() : "In 32-bit programs its number is " + std::to_string(narrow);
    }

    /// Returns 500 for "syscall_500", the name of a call that this build does not know.
    std::optional<uint32_t> unnamed_number(std::string_view function) const
    {
        static constexpr std::string_view kPrefix = "syscall_";
        if (!function.starts_with(kPrefix))
            return {};
        uint32_t number = 0;
        const char* end = function.data() + function.size();
        const auto [stop, error] = std::from_chars(function.data() + kPrefix.size(), end, number);
        if (error != std::errc{} || stop != end || number >= machine::kSyscallBound ||
            function != "syscall_" + std::to_string(number))
            return {};
        for (const machine::SyscallEntry& call : calls().table())
            if (call.number == number)
                return {};
        return number;
    }

    static Probe described(const machine::SyscallEntry& call, std::string_view function, bool at_return)
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
