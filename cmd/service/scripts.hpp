// The scripts of a service: the files of a directory that end in .d, each a script of its own.
//
// The rules are those of other directories of parts: the order is that of the names, hidden files and those with other
// endings are left alone, and a link to /dev/null stands for a script that is not wanted. What runs as root must be
// root's: a script that others may write is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::service {

/// A script that a service runs, or is to run.
struct Script {
    std::string name; ///< what it is asked for by: the file's without .d
    std::string path; ///< empty: its text was given
    std::string text;
    bool is_of_directory = false;
};

/// Paths and names, in the order of the names; no text is read. The error's message is the reason alone.
Result<std::vector<Script>> find_scripts(const std::string& directory);

/// "opensnoop" of "/etc/dtrace/scripts.d/opensnoop.d"; a path without .d gives its last component.
std::string name_of_script(const std::string& path);

/// May be a name: letters, digits and "._-+@", at most 128, and no "." in front.
bool is_name(const std::string& name);

/// The text of a file that nobody may write who may not do as this process does. The error is complete but for the
/// program's name.
Result<std::string> read_script(const std::string& path);

/// Whether a name of option pin stands in a text as a whole word.
bool has_name(std::string_view text, std::string_view pin);

} // namespace dt::service
