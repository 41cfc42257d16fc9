// The descriptors of the program kinds: the one place where kinds are told apart, beside the table of their attach mechanisms.
#include "dcompiler/plan.hpp"

#include "base/kernel_abi.hpp"

namespace dt {
namespace {

// Struct names: what btf_get_prog_ctx_type() compares with (kernel/bpf/btf.c); for kprobes and trace events the name of a typedef, which a
// struct of that name satisfies in every kernel; for fentry that of void, which has none.

constexpr ProgramKindInfo kKinds[] = {
    {"raw tracepoint", "raw_tp", "bpf_raw_tracepoint_args", StackBegin::Tracepoint, false, false, TargetKind::Tracepoint, false, false},
    {"clock event", "perf_event", "bpf_perf_event_data", StackBegin::Interrupted, false, true, TargetKind::Other, false, false},
    {"test run", "raw_tp", "bpf_raw_tracepoint_args", StackBegin::Caller, false, false, TargetKind::Other, false, false},
    {"kprobe", "kprobe", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Function, false, false},
    {"kretprobe", "kretprobe", "bpf_user_pt_regs_t", StackBegin::Returned, true, true, TargetKind::Function, false, false},
    {"kprobe.multi", "kprobe.multi", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Function, false, true},
    {"kretprobe.multi", "kretprobe.multi", "bpf_user_pt_regs_t", StackBegin::Returned, true, true, TargetKind::Function, false, true},
    {"kprobe.session", "kprobe", "bpf_user_pt_regs_t", StackBegin::Returned, true, true, TargetKind::Function, false, true, false, false, true,
     abi::kTraceKprobeSession},
    {"fentry", "fentry", "void", StackBegin::Function, false, false, TargetKind::Function, true, true},
    {"fexit", "fexit", "void", StackBegin::Function, false, false, TargetKind::Function, true, true},
    {"tracepoint", "tracepoint", "__u64", StackBegin::Event, true, false, TargetKind::Other, false, false},
    {"uprobe", "uprobe", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Other, false, true, true, true},
    {"uretprobe", "uretprobe", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Other, false, true, true, true},
    {"uprobe.multi", "uprobe", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Other, false, true, false, true, false,
     abi::kTraceUprobeMulti},
    {"uretprobe.multi", "uretprobe", "bpf_user_pt_regs_t", StackBegin::Interrupted, true, true, TargetKind::Other, false, true, false, true, false,
     abi::kTraceUprobeMulti},
    {"fault", "", "", StackBegin::Interrupted, false, false, TargetKind::Other, false, false},
};
static_assert(std::size(kKinds) == kProgramKinds);

} // namespace

const ProgramKindInfo& info(ProgramKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string AttachPlan::section() const
{
    const std::string section(kind_info().section);
    return kind_info().at_load ? section + "/" + targets.front().where : section;
}

} // namespace dt
