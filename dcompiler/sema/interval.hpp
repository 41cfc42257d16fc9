// What is certain about an integer before the program runs.
#pragma once

#include <optional>

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

struct Interval {
    int64_t low = 0, high = 0;
};

/// An interval that the value of an integer expression never leaves; empty when nothing is known. Linear in the
/// expression.
std::optional<Interval> certain_interval(const TExpr& e);

} // namespace dt::sema
