// Numbers of metrics, exact: integers of up to 192 bits, and of those decimal fractions, for what is told in another
// unit.
#pragma once

#include <cstdint>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::output {

/// With the point so many digits from the right; zeros at the end of a fraction are left out.
void append_metric_number(format::Text& out, int64_t number, unsigned decimals = 0);
void append_metric_unsigned(format::Text& out, uint64_t number, unsigned decimals = 0);
/// 64-bit parts, the lowest first; the highest has the sign if `is_signed`.
void append_metric_wide(format::Text& out, std::span<const int64_t> parts, bool is_signed, unsigned decimals = 0);
/// The nearest double, of parts as above.
double metric_double(std::span<const int64_t> parts, bool is_signed);
/// A bound of buckets, always with a fraction: "7.0".
void append_metric_bound(format::Text& out, int64_t bound, unsigned decimals);
/// ns as seconds.
void append_metric_time(format::Text& out, uint64_t ns);

} // namespace dt::output
