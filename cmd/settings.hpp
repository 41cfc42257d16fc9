// Conversion of command-line settings to option values.
#pragma once

#include "cmd/arguments.hpp"
#include "libdtrace/options/options.hpp"

namespace dt::cmd {

/// Applies the settings in order. The error is a complete message: "failed to set -x OPT: REASON".
Result<void> apply_settings(const std::vector<Setting>& settings, Options& options);

} // namespace dt::cmd
