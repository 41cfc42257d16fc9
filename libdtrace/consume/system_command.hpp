// Runs the commands of the system() action.
#pragma once

#include <string>

#include "base/result.hpp"

namespace dt {

/// Runs a command with sh(1), waits for its end, and returns its status as wait(2) does. Unlike system(3) it leaves the
/// process's signals alone, so an interrupt arrives while a command runs. `output` is the descriptor for the command's
/// standard output.
Result<int> run_system_command(const std::string& command, int output);

} // namespace dt
