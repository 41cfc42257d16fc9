// The program as a script, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

/// The clauses and declarations of a script, in order. What does not come to an end is the last one: the compiler says
/// what it misses.
std::vector<std::string> clauses_of_script(std::string_view text);

/// A script that runs by its path as the program does here: with a #! line and the options that were set.
std::string script_text(const Workbench& workbench, const cmd::Arguments& arguments);

/// Writes it to a file that may be executed. The error is complete.
Result<void> save_script(const Workbench& workbench, const cmd::Arguments& arguments, const std::string& path);

} // namespace dt::shell
