// Which mechanism serves which kind of program.
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {

const AttachMechanism* mechanism_for(ProgramKind kind)
{
    switch (kind) {
    case ProgramKind::RawTracepoint:
        return &raw_tracepoint_mechanism();
    case ProgramKind::PerfEvent:
        return &perf_event_mechanism();
    case ProgramKind::Kprobe:
        return &kprobe_mechanism();
    case ProgramKind::TestRun:
        break;
    }
    return nullptr;
}

} // namespace dt::probes
