// Commands of system().
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt {

/// Runs a command by sh(1) and waits for its end: its status as wait(2) tells it. Other than system(3) does, this
/// leaves the process's signals alone, so that an interrupt comes through while a command runs. `output`: the
/// descriptor that is the command's standard output.
Result<int> run_system_command(const std::string& command, int output);

} // namespace dt
