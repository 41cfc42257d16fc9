// Messages on stderr, each with the command's name as prefix, and conversion of command-line settings to option values.
#pragma once

#include <string>
#include <string_view>

#include "cmd/common/arguments.hpp"
#include "libdtrace/options/options.hpp"

namespace dt::cmd {

/// Exit statuses (dtrace(8), EXIT STATUS).
inline constexpr int kSuccess = 0, kFailure = 1, kUsage = 2;

/// Writes text to standard output and reports a failure to write. Returns the exit status.
int print_all(const Arguments& arguments, const std::string& text);

/// Prints the text on a line of its own, after the command's name and a colon.
void print_message(const Arguments& arguments, std::string_view text);

/// Prints "BPF: LINE" for each line of the kernel verifier's log (-x bpflog).
void print_verifier_log(const std::string& log);

/// Applies the command-line settings in order. On failure, the error message "failed to set -x OPT: REASON" can be
/// printed unchanged.
Result<void> apply_settings(const std::vector<Setting>& settings, Options& options);

} // namespace dt::cmd
