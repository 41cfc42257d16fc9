// Merging of aggregation words (abi.h), and the results of avg() and stddev(). Sums are wide enough that no number of
// values overflows them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dcompiler/sema/builtins.hpp"

namespace dt::output {

/// Merges two sets of words of one key, in the kernel's layout, into the first.
void combine_words(AggKind kind, std::span<int64_t> into, std::span<const int64_t> from);

/// Add or subtract the words of an avg() or stddev() value: DT_AVG_WORDS or DT_STDDEV_WORDS of them.
void add_sums(std::span<int64_t> into, std::span<const int64_t> from);
void subtract_sums(std::span<int64_t> from, std::span<const int64_t> amount);

/// Returns the sum of an avg() or stddev() value, low 64 bits first.
std::array<int64_t, 2> wide_sum(std::span<const int64_t> words);

/// Returns avg() as defined in dtrace-aggregations(7), FUNCTIONS: total / divisor / count. Each division truncates
/// towards zero.
int64_t average(std::span<const int64_t> words, int64_t divisor);
/// Returns the truncated root of (squares / divisor / count - average^2), with the same truncating divisions.
uint64_t deviation(std::span<const int64_t> words, int64_t divisor);

} // namespace dt::output
