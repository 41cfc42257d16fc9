// Extrapolation of firing counts for -x cost, when a program counts its firings only in sampling windows.
#pragma once

#include <array>
#include <cstdint>

#include "bpf-runtime/abi.h"

namespace dt::consume {

/// Extrapolation for the firings that one counting switch controls (dt_gate).
struct GateEstimate {
    double factor = 1; ///< ratio of actual firings to those that the sampled firings represent
    double error = 0;  ///< relative standard deviation of the number of firings, from the variation between windows
    double weight = 1; ///< number of firings that one sampled firing represents
};

using GateEstimates = std::array<GateEstimate, DT_GATES>;

/// Extrapolation for a whole trace until now.
struct CostEstimate {
    GateEstimates gates{};
    double pace = 0; ///< ns that pace_here() takes on the CPUs where probes fired; 0: not measured
};

} // namespace dt::consume
