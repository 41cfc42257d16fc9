// The ready scripts that come with the command.
#pragma once

#include <string>

namespace dt::cmd {

/// The folder they are in, or would be if they were installed.
std::string tools_directory();

/// The path of a tool by its name, with or without .d; empty when there is none, or when the name is a path.
std::string find_tool(const std::string& name);

} // namespace dt::cmd
