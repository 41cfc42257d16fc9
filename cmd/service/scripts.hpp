// The scripts of a service: the files in a directory that end in .d, each an independent script.
//
// The rules match other configuration directories: files are sorted by name, hidden files and other endings are
// ignored, and a link to /dev/null disables a script. Scripts run as root, so a file that other users can write is
// refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::service {

/// A script that the service runs or will run.
struct Script {
    std::string name; ///< name in requests: the file name without .d
    std::string path; ///< empty: the text was sent in a request
    std::string text;
    bool is_of_directory = false;
};

/// Returns paths and names, sorted by name, without reading the files. The error message is the reason only.
Result<std::vector<Script>> find_scripts(const std::string& directory);

/// Returns "opensnoop" for "/etc/dtrace/scripts.d/opensnoop.d", and the last component of a path without .d.
std::string name_of_script(const std::string& path);

/// Returns whether the name is valid: at most 128 letters, digits and "._-+@", without a leading ".".
bool is_name(const std::string& name);

/// Returns the text of a file that only root or this user can write. The error message lacks only the program's name.
Result<std::string> read_script(const std::string& path);

/// Returns whether the text contains the name of a pin as a whole word.
bool has_name(std::string_view text, std::string_view pin);

} // namespace dt::service
