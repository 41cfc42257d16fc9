// Facts needed to judge aggregations: losses, and the weight of each firing when sampling is active.
#pragma once

#include <optional>
#include <vector>

#include "libdtrace/output/ledger.hpp"

namespace dt::output {

struct Totals {
    std::vector<LedgerRow> losses;
    /// Mean number of firings that each sampled firing represents (-x maxcost). Empty: no firing is skipped.
    std::optional<double> weight;
};

} // namespace dt::output
