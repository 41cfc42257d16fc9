// printa() and the aggregations printed at exit (dtrace-aggregations(7), PRINTING AND CHANGING).
#pragma once

#include <span>

#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/format/printf.hpp"

namespace dt::output {

/// The default layout: one line per entry, in sort order; keys once, then the value of each table. aggpack, agghist and
/// aggzoom change how a single table looks.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables);

/// Applies a format to each entry. `formats` are bound to the keys of the table of the same index.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables,
                         std::span<const format::BoundFormat> formats);

} // namespace dt::output
