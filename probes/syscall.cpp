// syscall:vmlinux:<call>:entry and return.
//
// One raw tracepoint per direction serves every call: perf events, one per call, would cost 40-80 ms each to close (docs/design.md, facts).
// The call's number selects the probe: at entry the tracepoint hands it over, at return it is still in the saved registers.
#include <charconv>

#include "probes/arch.hpp"
#include "probes/attributes.hpp"
#include "probes/provider.hpp"
#include "probes/syscall_table.hpp"

namespace dt::probes {
namespace {

using Kind = ContextValue::Kind;

// include/trace/events/syscalls.h: sys_enter(struct pt_regs *regs, long id), sys_exit(struct pt_regs *regs, long ret).
constexpr ContextValue kEnterNumber{Kind::ContextWord, 1};
constexpr ContextValue kExitValue{Kind::ContextWord, 1};
constexpr ContextValue kExitNumber{Kind::UserRegister, arch::kSyscallNumber};

std::shared_ptr<const Hook> make_hook(const char* tracepoint, ContextValue number, ContextValue return_value)
{
    auto hook = std::make_shared<Hook>();
    hook->kind = ProgramKind::RawTracepoint;
    hook->section = std::string("raw_tp/") + tracepoint;
    hook->target = tracepoint;
    hook->selector = number;
    hook->selector_bound = arch::kSyscallBound;
    hook->return_value = return_value;
    hook->skip = {Kind::TaskWord, arch::kStatusOffset};
    hook->skip_bits = arch::kCompatStatus;
    return hook;
}

/// The call's own function, of which the kernel lets a kprobe answer in its place: the tracepoint comes too early to know what to skip.
std::shared_ptr<const Hook> make_override_hook(std::string_view call)
{
    auto hook = std::make_shared<Hook>();
    hook->kind = ProgramKind::Kprobe;
    hook->target = arch::kSyscallFunction + std::string(call);
    hook->section = "kprobe/" + hook->target;
    hook->overrides = true;
    return hook;
}

class SyscallProvider final : public Provider {
public:
    explicit SyscallProvider(std::function<bool(const SyscallEntry&)> exists) : exists_(std::move(exists)) {}

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
                sink.add(entry_probe(call, function), 2 * call.number);
            if (leave)
                sink.add(return_probe(call, function), 2 * call.number + 1);
        };
        for (const SyscallEntry& call : syscall_table())
            if (glob_match(pattern.function, call.name) && (call.everywhere || exists_(call)))
                add(call, call.name);
        if (const auto number = unnamed_number(pattern.function))
            add(SyscallEntry{*number, {}, true, {}}, pattern.function);
        return {};
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

    static Probe described(const SyscallEntry& call, std::string_view function, const char* name)
    {
        Probe probe;
        probe.provider = "syscall";
        probe.module = "vmlinux";
        probe.function = function;
        probe.name = name;
        probe.selector = call.number;
        probe.attributes = &kSyscallAttributes;
        return probe;
    }

    Probe entry_probe(const SyscallEntry& call, std::string_view function) const
    {
        Probe probe = described(call, function, "entry");
        probe.hook = enter_;
        if (!call.name.empty())
            probe.override_hook = make_override_hook(call.name);
        for (std::size_t i = 0; i < arch::kSyscallArguments.size(); ++i)
            probe.args[i] = {Kind::UserRegister, arch::kSyscallArguments[i]};
        for (std::size_t i = 0; i < call.parameter_count(); ++i)
            probe.typed_args.push_back({std::string(call.parameters[i]), {}, static_cast<uint8_t>(i), is_user_pointer(call.parameters[i])});
        return probe;
    }

    Probe return_probe(const SyscallEntry& call, std::string_view function) const
    {
        Probe probe = described(call, function, "return");
        probe.hook = exit_;
        for (uint8_t i = 0; i < 2; ++i) {
            probe.args[i] = kExitValue;
            probe.typed_args.push_back({"long", {}, i, false});
        }
        return probe;
    }

    std::function<bool(const SyscallEntry&)> exists_;
    std::shared_ptr<const Hook> enter_ = make_hook("sys_enter", kEnterNumber, {});
    std::shared_ptr<const Hook> exit_ = make_hook("sys_exit", kExitNumber, kExitValue);
};

} // namespace

std::unique_ptr<Provider> make_syscall_provider(std::function<bool(const SyscallEntry&)> exists)
{
    return std::make_unique<SyscallProvider>(std::move(exists));
}

} // namespace dt::probes
