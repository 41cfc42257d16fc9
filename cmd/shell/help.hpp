// Help: short texts, made from the tables where there is one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

std::vector<std::string_view> help_topics();

/// For an empty topic the commands; else a topic, a command, or any name of the language. Empty: nothing is known of
/// it.
std::string help_text(Workbench& workbench, std::string_view topic);

/// Of a name of the language alone: a variable, function, action or option. What is refused has its reason. Empty: it
/// is none.
std::string name_help(std::string_view name);

} // namespace dt::shell
