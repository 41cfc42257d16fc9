// Cuts a program that shows a bug down to the part that still shows it.
#pragma once

#include <functional>

#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// Removes and simplifies parts of `program` as long as `still_wrong` says yes to the result.
void shrink(Program& program, const std::function<bool(const Program&)>& still_wrong);

} // namespace dt::differential
