// Help texts of the shell, generated from tables where possible.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"
#include "dcompiler/interface/probes.hpp"
#include "libdtrace/session/session.hpp"

namespace dt::shell {

std::vector<std::string_view> help_topics();

/// Returns the help of a topic, a command or any name of the language; the list of commands for an empty topic. Returns
/// an empty string for unknown names.
std::string help_text(Workbench& workbench, std::string_view topic);

/// Returns the help of a language name: a variable, function, action or option. Includes the reason if it is not
/// supported. Returns an empty string for other names.
std::string name_help(std::string_view name);

// Parses a single probe description: the operand of a command, or the text at an editor's cursor.

/// Parses a description as in a script: leading parts may be omitted. The error is the compiler's error.
Result<ProbePattern> parse_pattern(Session& session, std::string_view text);

} // namespace dt::shell
