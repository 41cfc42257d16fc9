// Cost of BPF instructions and kernel helpers on this machine. Small programs call them in a loop and read the clock
// before and after. The results are cached until the next boot.
#pragma once

#include "libdtrace/host/cost_model.hpp"

namespace dt {

/// Returns the costs. Takes some ten milliseconds if they were not measured since boot. Costs that cannot be measured
/// have default values.
CodePrices code_prices();

} // namespace dt
