// The ready scripts that come with the command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::cmd {

/// A script that is part of the executable.
struct EmbeddedTool {
    std::string_view name; ///< with .d
    std::string_view text;
};
/// Returns the tools inside the static executable. Other programs have no such function.
[[gnu::weak]] std::span<const EmbeddedTool> embedded_tools();

/// Reads a program from a file, or one that find_tool() has found.
Result<std::string> read_script(const std::string& path);

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
