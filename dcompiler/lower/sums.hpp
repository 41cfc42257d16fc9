// Sums that cannot overflow: the words of avg() and stddev() (abi.h).
#pragma once

#include <cstdint>

#include "dcompiler/ir/ir.hpp"

namespace dt::lower {

/// Words of an aggregation in memory.
struct SumPlace {
    ir::Builder& b;
    ir::Value address;
    bool atomic; ///< another program may interrupt this one between any two instructions
};

/// Adds `amount` to the word at `offset`.
void add_word(const SumPlace& place, int64_t offset, ir::Value amount);

/// Adds the signed `v` to the word at `offset` and the number of its overflows to the next word.
void add_signed_sum(const SumPlace& place, int64_t offset, ir::Value v);

/// Adds v * v to the three words at `offset`.
void add_square(const SumPlace& place, int64_t offset, ir::Value v);

/// Adds v * v `times` times; `times` must fit 32 bits.
void add_squares(const SumPlace& place, int64_t offset, ir::Value v, ir::Value times);

} // namespace dt::lower
