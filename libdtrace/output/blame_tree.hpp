// blame() as people read it: a tree of who was waited for (dtrace-aggregations(7), BLAME).
#pragma once

#include "libdtrace/output/aggregation_order.hpp"

namespace dt::output {

/// The entries of a blame(): for each tuple of keys that the program gives a tree, in the order of their whole times.
void append_blame(format::Text& out, const format::Environment& env, const Aggregation& table,
                  const std::vector<Row>& rows);

} // namespace dt::output
