// What hosts of --on are to run.
#pragma once

#include <optional>
#include <string>

#include "cmd/arguments.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::cmd {

/// For sh(1). It brings the program along, compiled for hosts like this one where that can be. Nothing: an error was
/// printed.
std::optional<std::string> command_for_hosts(const Arguments& arguments, const Options& options, Output& output);

} // namespace dt::cmd
