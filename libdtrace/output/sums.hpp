// The words of a key (abi.h) put together, and those of avg() and stddev() read: sums wider than any number of values
// fills.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dcompiler/sema/builtins.hpp"

namespace dt::output {

/// Words of one key as the kernel has them: those of both together.
void combine_words(AggKind kind, std::span<int64_t> into, std::span<const int64_t> from);

/// Adds or subtracts the words of one CPU, or of one time: DT_AVG_WORDS of them, or DT_STDDEV_WORDS.
void add_sums(std::span<int64_t> into, std::span<const int64_t> from);
void subtract_sums(std::span<int64_t> from, std::span<const int64_t> amount);

/// Of avg() and stddev(): the sum, the low 64 bits first.
std::array<int64_t, 2> wide_sum(std::span<const int64_t> words);

/// avg() as dtrace-aggregations(7), FUNCTIONS, has it: total / divisor / count, each division cut towards zero.
int64_t average(std::span<const int64_t> words, int64_t divisor);
/// The root of (squares / divisor / count - average^2), cut likewise.
uint64_t deviation(std::span<const int64_t> words, int64_t divisor);

} // namespace dt::output
