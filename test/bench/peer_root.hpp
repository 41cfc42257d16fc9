// Root file system for other tracers, in a folder filled by test/newest.
#pragma once

#include <string>

namespace dt::bench {

/// Prepares FOLDER/root so that this process and its children can start tracers in it with chroot(8): mounts /proc,
/// /sys, /dev and /tmp there, in a private mount namespace. Returns an error message, or an empty string.
std::string enter_peer_root(const std::string& folder);

/// Hides a file in the root directory that enter_peer_root() has set up, by making the file empty.
bool hide_in_peer_root(const std::string& folder, const std::string& path);

} // namespace dt::bench
