// Root file system for other tracers, in a folder filled by test/newest.
#pragma once

#include <string>

namespace dt::bench {

/// Prepares FOLDER/root for chroot(8) with this machine's kernel, for this process and its children. Returns the reason
/// of a failure, or an empty string.
std::string enter_peer_root(const std::string& folder);

/// Hides a file in the root directory that enter_peer_root() has set up, by making the file empty.
bool hide_in_peer_root(const std::string& folder, const std::string& path);

} // namespace dt::bench
