// Conversion between the shell's program and a script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

/// Returns the clauses and declarations of a script in order. An unfinished rest is the last one, for which the
/// compiler will report the error.
std::vector<std::string> clauses_of_script(std::string_view text);

/// Returns a script that behaves like the program when run by its path: with a #! line and the options that were set.
std::string script_text(const Workbench& workbench, const cmd::Arguments& arguments);

/// Writes the script to an executable file. The error message is complete.
Result<void> save_script(const Workbench& workbench, const cmd::Arguments& arguments, const std::string& path);

} // namespace dt::shell
