// Descriptors of the program kinds. Only this table and that of the attach mechanisms distinguish kinds.
#include "dcompiler/interface/plan.hpp"

#include "base/kernel_abi.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

// Struct names that btf_get_prog_ctx_type() (kernel/bpf/btf.c) compares. For kprobes and trace events it is the name of
// a typedef; a struct of that name satisfies every kernel. For fentry it is void, which has no name.

constexpr std::string_view kRegisters = "bpf_user_pt_regs_t";

constexpr ProgramKindInfo kKinds[] = {
    // clang-format off
    {.kind = ProgramKind::RawTracepoint, .name = "raw tracepoint", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Tracepoint,
     .target = TargetKind::Tracepoint},
    {.kind = ProgramKind::PerfEvent, .name = "clock event", .section = "perf_event", .context = "bpf_perf_event_data", .stack = StackBegin::Interrupted,
     .registers = true},
    {.kind = ProgramKind::TestRun, .name = "test run", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Caller},
    {.kind = ProgramKind::Kprobe, .name = "kprobe", .section = "kprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .target = TargetKind::Function},
    {.kind = ProgramKind::Kretprobe, .name = "kretprobe", .section = "kretprobe", .context = kRegisters, .stack = StackBegin::Returned, .cookie = true,
     .registers = true, .target = TargetKind::Function},
    {.kind = ProgramKind::KprobeMulti, .name = "kprobe.multi", .section = "kprobe.multi", .context = kRegisters, .stack = StackBegin::Interrupted,
     .cookie = true, .registers = true, .target = TargetKind::Function, .preemptible = true},
    {.kind = ProgramKind::KretprobeMulti, .name = "kretprobe.multi", .section = "kretprobe.multi", .context = kRegisters, .stack = StackBegin::Returned,
     .cookie = true, .registers = true, .target = TargetKind::Function, .preemptible = true},
    {.kind = ProgramKind::KprobeSession, .name = "kprobe.session", .section = "kprobe", .context = kRegisters, .stack = StackBegin::Returned, .cookie = true,
     .registers = true, .target = TargetKind::Function, .preemptible = true, .entry_and_return = true, .attach_type = abi::kTraceKprobeSession},
    {.kind = ProgramKind::Fentry, .name = "fentry", .section = "fentry", .context = "void", .stack = StackBegin::Function, .target = TargetKind::Function,
     .at_load = true, .refusable = true, .preemptible = true},
    {.kind = ProgramKind::Fexit, .name = "fexit", .section = "fexit", .context = "void", .stack = StackBegin::Function, .target = TargetKind::Function,
     .at_load = true, .refusable = true, .preemptible = true},
    {.kind = ProgramKind::Tracepoint, .name = "tracepoint", .section = "tracepoint", .context = "__u64", .stack = StackBegin::Event, .cookie = true},
    {.kind = ProgramKind::Uprobe, .name = "uprobe", .section = "uprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .preemptible = true, .per_address_space = true, .interruptible = true},
    {.kind = ProgramKind::Uretprobe, .name = "uretprobe", .section = "uretprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .preemptible = true, .per_address_space = true, .interruptible = true},
    {.kind = ProgramKind::UprobeMulti, .name = "uprobe.multi", .section = "uprobe", .context = kRegisters, .stack = StackBegin::Interrupted, .cookie = true,
     .registers = true, .preemptible = true, .interruptible = true, .attach_type = abi::kTraceUprobeMulti},
    {.kind = ProgramKind::UretprobeMulti, .name = "uretprobe.multi", .section = "uretprobe", .context = kRegisters, .stack = StackBegin::Interrupted,
     .cookie = true, .registers = true, .preemptible = true, .interruptible = true, .attach_type = abi::kTraceUprobeMulti},
    {.kind = ProgramKind::FentryMulti, .name = "fentry.multi", .section = "fentry.multi", .context = "void", .stack = StackBegin::Function, .cookie = true,
     .target = TargetKind::Function, .refusable = true, .preemptible = true},
    {.kind = ProgramKind::TypedTracepoint, .name = "typed tracepoint", .section = "tp_btf", .context = "void", .stack = StackBegin::Tracepoint,
     .target = TargetKind::Tracepoint, .at_load = true},
    {.kind = ProgramKind::Application, .name = "application", .section = "raw_tp", .context = "bpf_raw_tracepoint_args", .stack = StackBegin::Caller,
     .in_engine = true},
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
    if (where == "sys_enter" || where == "sys_exit") // the tracepoints of all system calls
        return {kind, where == "sys_enter" ? HookKind::Path::SyscallEntry : HookKind::Path::SyscallExit};
    return {kind, single_steps ? HookKind::Path::SingleStep : HookKind::Path::Plain};
}

std::string AttachPlan::section() const
{
    const std::string section(kind_info().section);
    return kind_info().at_load ? section + "/" + targets.front().where : section;
}

} // namespace dt
