// Reduces a program that shows a bug to the part that still shows it.
#pragma once

#include <functional>

#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// Removes and simplifies parts of `program`, as long as `still_wrong` returns true for the simplified program.
void shrink(Program& program, const std::function<bool(const Program&)>& still_wrong);

} // namespace dt::differential
