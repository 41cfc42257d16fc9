// The ready-made scripts (tools) that are installed with the command.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace dt::cmd {

/// A tool (ready-made script) that is embedded in the executable.
struct EmbeddedTool {
    std::string_view name; ///< name of the tool with the ending .d
    std::string_view text;
};
/// Returns the tools embedded in the static executable. Other executables do not define this function, so that its
/// address is null.
[[gnu::weak]] std::span<const EmbeddedTool> embedded_tools();

/// Reads a program from a file. `path` may also be a result of find_tool().
Result<std::string> read_script(const std::string& path);

/// Returns the path of the tools' directory, even if the directory does not exist.
std::string tools_directory();

/// Returns the path of a tool by its name, with or without .d. Returns an empty string if there is no such tool or the
/// name is a path.
std::string find_tool(const std::string& name);

/// Returns the usage in a script's head comment: purpose, arguments, an example. Returns an empty string if it has
/// none.
std::string usage_of_script(const std::string& path);

/// Returns the part of the usage that shows how to call the script, and its arguments.
std::string call_of_script(const std::string& path);

/// Returns a hint for a wrong tool name: "did you mean opensnoop.d?", "the tool iosnoop replaces biosnoop", or an empty
/// string.
std::string tool_meant_by(std::string_view name);

} // namespace dt::cmd
