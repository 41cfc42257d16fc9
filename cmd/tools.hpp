// The ready scripts that come with the command.
#pragma once

#include <string>
#include <string_view>

namespace dt::cmd {

/// The folder they are in, or would be if they were installed.
std::string tools_directory();

/// The path of a tool by its name, with or without .d; empty when there is none, or when the name is a path.
std::string find_tool(const std::string& name);

/// What a script's head comment says, where it has a usage: what it is for, its arguments, an example. Empty: it has
/// none.
std::string usage_of_script(const std::string& path);

/// Of that, how it is called and what its arguments mean.
std::string call_of_script(const std::string& path);

/// Where a name leads that is none of a tool: "did you mean opensnoop.d?", "biosnoop is iosnoop here"; empty: nobody
/// knows.
std::string tool_meant_by(std::string_view name);

} // namespace dt::cmd
