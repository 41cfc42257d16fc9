// Which mechanism serves which kind of program.
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {

namespace {

struct MechanismRow {
    ProgramKind kind;
    const AttachMechanism& (*mechanism)();
};

constexpr MechanismRow kMechanisms[] = {
    {.kind = ProgramKind::RawTracepoint, .mechanism = raw_tracepoint_mechanism},
    {.kind = ProgramKind::PerfEvent, .mechanism = perf_event_mechanism},
    {.kind = ProgramKind::Kprobe, .mechanism = kprobe_mechanism},
    {.kind = ProgramKind::Kretprobe, .mechanism = kretprobe_mechanism},
    {.kind = ProgramKind::KprobeMulti, .mechanism = kprobe_multi_mechanism},
    {.kind = ProgramKind::KretprobeMulti, .mechanism = kretprobe_multi_mechanism},
    {.kind = ProgramKind::KprobeSession, .mechanism = kprobe_session_mechanism},
    {.kind = ProgramKind::Fentry, .mechanism = trampoline_mechanism},
    {.kind = ProgramKind::Fexit, .mechanism = trampoline_mechanism},
    {.kind = ProgramKind::Tracepoint, .mechanism = tracepoint_mechanism},
    {.kind = ProgramKind::Uprobe, .mechanism = uprobe_mechanism},
    {.kind = ProgramKind::Uretprobe, .mechanism = uretprobe_mechanism},
    {.kind = ProgramKind::UprobeMulti, .mechanism = uprobe_multi_mechanism},
    {.kind = ProgramKind::UretprobeMulti, .mechanism = uretprobe_multi_mechanism},
};

} // namespace

const AttachMechanism* mechanism_for(ProgramKind kind)
{
    for (const MechanismRow& row : kMechanisms)
        if (row.kind == kind)
            return &row.mechanism();
    return nullptr; // programs that nothing in the kernel calls
}

} // namespace dt::probes
