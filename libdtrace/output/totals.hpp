// What stands beside aggregations so that they can be judged: what was lost, and how much each firing stands for.
#pragma once

#include <optional>
#include <vector>

#include "libdtrace/output/ledger.hpp"

namespace dt::output {

struct Totals {
    std::vector<LedgerRow> losses;
    /// Firings for each one that was taken: with -x maxcost some are passed by, and those taken stand for them. Empty:
    /// nothing is passed by.
    std::optional<double> weight;
};

} // namespace dt::output
