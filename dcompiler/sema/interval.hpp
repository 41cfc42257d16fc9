// Compile-time bounds of integer values.
#pragma once

#include <optional>

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

struct Interval {
    int64_t low = 0, high = 0;
};

/// Returns an interval that contains every value of an integer expression, or nothing if none is known. Takes time
/// linear in the expression.
std::optional<Interval> certain_interval(const TExpr& e);

} // namespace dt::sema
