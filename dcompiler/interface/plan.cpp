// Descriptors of the kinds of BPF programs. Other code does not distinguish kinds, except the table of attach
// mechanisms.
#include "dcompiler/interface/plan.hpp"

#include "base/kernel_abi.hpp"
#include "dcompiler/interface/probes.hpp"
#include "machine/machine.hpp"

namespace dt {

namespace {

// Names of the context struct that the kernel accepts in btf_get_prog_ctx_type() (kernel/bpf/btf.c). For kprobes and
// trace events the kernel's name is a typedef, but all kernels also accept a struct of that name. The context of fentry
// has type void, so it has no name.

constexpr std::string_view kRegisters = "bpf_user_pt_regs_t";

// Functions of kernel/bpf/trampoline.c (CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) and kernel/trace/bpf_trace.c
// (CONFIG_FPROBE). Kernels without them have empty inline functions instead, which have no type information. Debian's
// 5.10 has type information only for traceable functions. register_ftrace_direct() is not traceable, so struct
// ftrace_direct_func is searched for there.
constexpr const char* kDirectCalls = "register_ftrace_direct";
constexpr const char* kDirectCallEntry = "ftrace_direct_func";
constexpr const char* kFprobe = "register_fprobe_ips";
constexpr const char* kUprobeMulti = "bpf_uprobe_multi_link_attach";

// Bytes of kernel memory: for a perf event, for a perf event of a return probe with its pending calls, and for a
// trampoline with the old one that it replaces. A trampoline of fentry.multi needs 2 KB (measured with thousands of
// them).
constexpr uint32_t kPerfEventMemory = 8 << 10, kReturnMemory = 16 << 10, kTrampolineMemory = 16 << 10;

constexpr ProgramKindInfo kKinds[] = {
    // clang-format off
    {.kind = ProgramKind::RawTracepoint, .name = "raw tracepoint", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Tracepoint,
     .target = TargetKind::Tracepoint},
    {.kind = ProgramKind::PerfEvent, .name = "clock event", .section = "perf_event", .context = "bpf_perf_event_data", .stack = StackBegin::Interrupted,
     .registers = true, .hook_memory = 4 << 10, .memory_per_cpu = true},
    {.kind = ProgramKind::TestRun, .name = "test run", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Caller,
     .run_by_tracer = true},
    {.kind = ProgramKind::Kprobe, .name = "kprobe", .section = "kprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .target = TargetKind::Function, .attached_singly = true, .hook_memory = kPerfEventMemory},
    {.kind = ProgramKind::Kretprobe, .name = "kretprobe", .section = "kretprobe", .context = kRegisters, .stack = StackBegin::Returned, .cookie = true,
     .registers = true, .target = TargetKind::Function, .attached_singly = true, .hook_memory = kReturnMemory},
    {.kind = ProgramKind::KprobeMulti, .name = "kprobe.multi", .section = "kprobe.multi", .context = kRegisters, .stack = StackBegin::Interrupted,
     .cookie = true, .registers = true, .target = TargetKind::Function, .preemptible = true, .function = kFprobe},
    {.kind = ProgramKind::KretprobeMulti, .name = "kretprobe.multi", .section = "kretprobe.multi", .context = kRegisters, .stack = StackBegin::Returned,
     .cookie = true, .registers = true, .target = TargetKind::Function, .preemptible = true, .function = kFprobe},
    {.kind = ProgramKind::KprobeSession, .name = "kprobe.session", .section = "kprobe", .context = kRegisters, .stack = StackBegin::Returned, .cookie = true,
     .registers = true, .target = TargetKind::Function, .preemptible = true, .entry_and_return = true, .attach_type = abi::kTraceKprobeSession,
     .function = kFprobe},
    {.kind = ProgramKind::Fentry, .name = "fentry", .section = "fentry", .context = "void", .stack = StackBegin::Function, .target = TargetKind::Function,
     .at_load = true, .refusable = true, .preemptible = true, .attached_singly = true, .hook_memory = kTrampolineMemory, .function = kDirectCalls,
     .structure = kDirectCallEntry},
    {.kind = ProgramKind::Fexit, .name = "fexit", .section = "fexit", .context = "void", .stack = StackBegin::Function, .target = TargetKind::Function,
     .at_load = true, .refusable = true, .preemptible = true, .attached_singly = true, .hook_memory = kTrampolineMemory, .function = kDirectCalls,
     .structure = kDirectCallEntry},
    {.kind = ProgramKind::Tracepoint, .name = "tracepoint", .section = "tracepoint", .context = "__u64", .stack = StackBegin::Event, .cookie = true},
    {.kind = ProgramKind::Uprobe, .name = "uprobe", .section = "uprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .target = TargetKind::Instruction, .preemptible = true, .per_address_space = true, .interruptible = true, .attached_singly = true,
     .hook_memory = kPerfEventMemory},
    {.kind = ProgramKind::Uretprobe, .name = "uretprobe", .section = "uretprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .target = TargetKind::Instruction, .preemptible = true, .per_address_space = true, .interruptible = true, .replaces_return = true,
     .attached_singly = true, .hook_memory = kReturnMemory},
    {.kind = ProgramKind::UprobeMulti, .name = "uprobe.multi", .section = "uprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .target = TargetKind::Instruction, .preemptible = true, .interruptible = true, .attach_type = abi::kTraceUprobeMulti,
     .function = kUprobeMulti},
    {.kind = ProgramKind::UretprobeMulti, .name = "uretprobe.multi", .section = "uretprobe", .context = kRegisters, .stack = StackBegin::Interrupted,
     .cookie = true, .registers = true, .target = TargetKind::Instruction, .preemptible = true, .interruptible = true, .attach_type = abi::kTraceUprobeMulti,
     .replaces_return = true, .function = kUprobeMulti},
    {.kind = ProgramKind::FentryMulti, .name = "fentry.multi", .section = "fentry.multi", .context = "void", .stack = StackBegin::Function, .cookie = true,
     .target = TargetKind::Function, .refusable = true, .preemptible = true, .hook_memory = 4 << 10, .costs_like = ProgramKind::Fentry},
    {.kind = ProgramKind::TypedTracepoint, .name = "typed tracepoint", .section = "tp_btf", .context = "void", .stack = StackBegin::Tracepoint,
     .target = TargetKind::Tracepoint, .at_load = true},
    {.kind = ProgramKind::Application, .name = "application", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Caller,
     .in_engine = true},
    {.kind = ProgramKind::Iterator, .name = "iterator", .section = "iter", .context = "void", .stack = StackBegin::Function, .target = TargetKind::Iterator,
     .at_load = true, .preemptible = true, .writes_file = true},
    {.kind = ProgramKind::FaultCall, .name = "fault", .stack = StackBegin::Interrupted},
    // clang-format on
};

constexpr bool kinds_in_order()
{
    std::size_t i = 0;
    for (const ProgramKindInfo& row : kKinds)
        if (static_cast<std::size_t>(row.kind) != i++)
            return false;
    return i == kProgramKinds;
}
static_assert(kinds_in_order());

} // namespace

std::span<const ProgramKindInfo> program_kinds()
{
    return kKinds;
}

const ProgramKindInfo& info(ProgramKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

Location number_of_call(const machine::SystemCalls& calls)
{
    return {Location::Kind::UserRegister, calls.number, 0, calls.number_bytes, calls.number_bytes < 8};
}

HookKind AttachPlan::hook_kind() const
{
    const std::string where = kind == ProgramKind::RawTracepoint && !targets.empty() ? targets.front().where : "";
    if (where == "sys_enter" || where == "sys_exit") // sys_enter and sys_exit fire for every system call
        return {kind, where == "sys_enter" ? HookKind::Path::SyscallEntry : HookKind::Path::SyscallExit};
    return {kind, single_steps ? HookKind::Path::SingleStep : HookKind::Path::Plain};
}

std::string AttachPlan::section() const
{
    const std::string section(kind_info().section);
    return kind_info().at_load ? section + "/" + targets.front().where : section;
}

// Converts names of probes between D, where they have dashes, and C, where they have `__`.

namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result;
    for (std::size_t at = 0, next; at < text.size(); at = next) {
        const std::size_t found = text.find(from, at);
        result += text.substr(at, found - at);
        next = found == std::string_view::npos ? text.size() : found + from.size();
        if (found != std::string_view::npos)
            result += to;
    }
    return result;
}

} // namespace

std::string dashed(std::string_view name)
{
    return replaced(name, "__", "-");
}

std::string underscored(std::string_view name)
{
    return replaced(name, "-", "__");
}

} // namespace dt
