// -x cost: what the counters of a program stand for that counts its firings for a part of the time only.
#pragma once

#include <array>
#include <cstdint>

#include "bpf-runtime/abi.h"

namespace dt::consume {

/// Of one gate (dt_gate).
struct GateEstimate {
    double factor = 1; ///< for each that the sampled firings stand for, there were so many
    double error = 0;  ///< of their number, as a part of it: one standard deviation, of what windows differ by
    double weight = 1; ///< firings that one stands for
};

using GateEstimates = std::array<GateEstimate, DT_GATES>;

/// Of a trace, until now.
struct CostEstimate {
    GateEstimates gates{};
    double pace = 0; ///< ns of pace_here() on the CPUs where probes fired; 0: nobody looked
};

} // namespace dt::consume
