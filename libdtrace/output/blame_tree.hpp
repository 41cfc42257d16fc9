// Text output of blame(): a tree that shows which threads were waited for (dtrace-aggregations(7), BLAME).
#pragma once

#include "libdtrace/output/aggregation_order.hpp"

namespace dt::output {

/// Appends the entries of a blame() as one tree for each distinct tuple of the program's own keys. Trees are sorted by
/// their total times.
void append_blame(format::Text& out, const format::Environment& env, const Aggregation& table,
                  const std::vector<Row>& rows);

} // namespace dt::output
