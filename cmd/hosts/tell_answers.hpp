// Final messages of --on and --merge: losses by host, and the hosts that answered.
#pragma once

#include "cmd/arguments.hpp"
#include "libdtrace/consume/answers.hpp"

namespace dt::cmd {

/// Prints the messages after finish(). Returns the exit status.
int tell_answers(const Arguments& arguments, const consume::Answers& answers, Output& output);

} // namespace dt::cmd
