// The mechanisms, each defined in the file of its name.
#pragma once

#include "probes/attach/attach.hpp"

namespace dt::probes {

const AttachMechanism& raw_tracepoint_mechanism();
const AttachMechanism& perf_event_mechanism();
const AttachMechanism& kprobe_mechanism();

} // namespace dt::probes
