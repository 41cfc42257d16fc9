// The command that the hosts of --on run.
#pragma once

#include <optional>
#include <string>

#include "cmd/arguments.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::cmd {

/// Returns a command for sh(1) that contains the program, compiled for similar hosts if possible. Returns nothing if an
/// error was printed.
std::optional<std::string> command_for_hosts(const Arguments& arguments, const Options& options, Output& output);

} // namespace dt::cmd
