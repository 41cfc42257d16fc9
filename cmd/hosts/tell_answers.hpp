// The last lines: what was lost where, and who answered.
#pragma once

#include "cmd/arguments.hpp"
#include "libdtrace/consume/answers.hpp"

namespace dt::cmd {

/// After finish(). Returns the exit status.
int tell_answers(const Arguments& arguments, const consume::Answers& answers, Output& output);

} // namespace dt::cmd
