// The words of avg() and stddev() (abi.h): sums wider than any number of values fills.
#pragma once

#include <cstdint>
#include <span>

namespace dt::output {

/// Adds or subtracts the words of one CPU, or of one time: DT_AVG_WORDS of them, or DT_STDDEV_WORDS.
void add_sums(std::span<int64_t> into, std::span<const int64_t> from);
void subtract_sums(std::span<int64_t> from, std::span<const int64_t> amount);

/// avg() as dtrace-aggregations(7), FUNCTIONS, has it: total / divisor / count, each division cut towards zero.
int64_t average(std::span<const int64_t> words, int64_t divisor);
/// The root of (squares / divisor / count - average^2), cut likewise.
uint64_t deviation(std::span<const int64_t> words, int64_t divisor);

} // namespace dt::output
