// Exact metric numbers: integers of up to 192 bits, scaled by a power of ten when the metric reports another unit.
#pragma once

#include <cstdint>
#include <span>

#include "libdtrace/format/text.hpp"

namespace dt::output {

/// Appends the number divided by 10^decimals, without trailing zeros in the fraction.
void append_metric_number(format::Text& out, int64_t number, unsigned decimals = 0);
void append_metric_unsigned(format::Text& out, uint64_t number, unsigned decimals = 0);
/// Appends a number of several 64-bit parts, lowest first. The highest part has the sign if `is_signed`.
void append_metric_wide(format::Text& out, std::span<const int64_t> parts, bool is_signed, unsigned decimals = 0);
/// Returns the nearest double of such a number.
double metric_double(std::span<const int64_t> parts, bool is_signed);
/// Appends a bucket bound, always with a fraction: "7.0".
void append_metric_bound(format::Text& out, int64_t bound, unsigned decimals);
/// Appends ns as seconds.
void append_metric_time(format::Text& out, uint64_t ns);

} // namespace dt::output
