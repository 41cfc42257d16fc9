// The file that keeps what was typed.
#pragma once

#include <string>

namespace dt::shell {

/// Its path: $XDG_STATE_HOME/dtrace/history, else ~/.local/state/dtrace/history; made, with directories, when it is not
/// there, for its owner alone. Empty: there can be none. Another user's directory gets none: the shell runs as root,
/// and a link there could lead anywhere.
std::string history_file();

} // namespace dt::shell
