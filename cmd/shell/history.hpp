// The history file of the shell.
#pragma once

#include <string>

namespace dt::shell {

/// Returns the path $XDG_STATE_HOME/dtrace/history or ~/.local/state/dtrace/history. Creates the file and its
/// directories, accessible to the owner only. Returns an empty string on failure, or if another user can write to the
/// directory: the shell runs as root, and a link there could lead anywhere.
std::string history_file();

} // namespace dt::shell
