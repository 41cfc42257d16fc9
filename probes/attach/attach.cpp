// Which mechanism serves which kind of program.
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {

const AttachMechanism* mechanism_for(ProgramKind kind)
{
    // In the order of ProgramKind, as are the descriptors in dcompiler/plan.cpp.
    static const AttachMechanism* const kMechanisms[] = {
        &raw_tracepoint_mechanism(),
        &perf_event_mechanism(),
        nullptr,
        &kprobe_mechanism(),
        &kretprobe_mechanism(),
        &kprobe_multi_mechanism(),
        &kretprobe_multi_mechanism(),
        &kprobe_session_mechanism(),
        &trampoline_mechanism(),
        &trampoline_mechanism(),
        &tracepoint_mechanism(),
        &uprobe_mechanism(),
        &uretprobe_mechanism(),
        &uprobe_multi_mechanism(),
        &uretprobe_multi_mechanism(),
        nullptr,
    };
    static_assert(std::size(kMechanisms) == kProgramKinds);
    return kMechanisms[static_cast<std::size_t>(kind)];
}

} // namespace dt::probes
