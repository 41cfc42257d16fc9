// The ready-made scripts (tools) that are installed with the command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::cmd {

/// A script inside the executable.
struct EmbeddedTool {
    std::string_view name; ///< name of the tool with the ending .d
    std::string_view text;
};
/// Returns the tools inside the static executable. Other programs have no such function.
[[gnu::weak]] std::span<const EmbeddedTool> embedded_tools();

/// Reads a program from a file, or one that find_tool() has found.
Result<std::string> read_script(const std::string& path);

/// Returns the directory of the tools, even if it does not exist.
std::string tools_directory();

/// Returns the path of a tool by its name, with or without .d. Returns an empty string if it does not exist or the name
/// is a path.
std::string find_tool(const std::string& name);

/// Returns the usage in a script's head comment: purpose, arguments, an example. Returns an empty string if it has
/// none.
std::string usage_of_script(const std::string& path);

/// Returns the part of the usage that describes the call and its arguments.
std::string call_of_script(const std::string& path);

/// Returns a hint for a wrong tool name: "did you mean opensnoop.d?", "biosnoop is iosnoop here", or an empty string.
std::string tool_meant_by(std::string_view name);

} // namespace dt::cmd
