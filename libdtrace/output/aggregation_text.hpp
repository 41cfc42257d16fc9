// Text of printa() and of the aggregations printed at exit (dtrace-aggregations(7), PRINTING AND CHANGING).
#pragma once

#include <span>

#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/format/printf.hpp"

namespace dt::output {

/// Appends the default layout: one line per entry in sort order, with the keys once and then each table's value. The
/// options aggpack, agghist and aggzoom change the layout of a single table.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables);

/// Appends each entry in the given format. `formats[i]` is bound to the keys of `tables[i]`.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables,
                         std::span<const format::BoundFormat> formats);

} // namespace dt::output
