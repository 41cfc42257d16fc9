// What instructions and helpers of the kernel take on this machine: measured by programs that call them over and over
// and read the clock before and behind, once a boot, and kept.
#pragma once

#include "libdtrace/host/cost_model.hpp"

namespace dt {

/// Some ten milliseconds when they were not measured since the machine booted. What the kernel does not let us measure
/// has the price that it had on the machine that this was written on.
CodePrices code_prices();

} // namespace dt
