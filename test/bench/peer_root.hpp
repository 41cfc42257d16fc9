// The root of other tracers: a folder that test/newest has filled.
#pragma once

#include <string>

namespace dt::bench {

/// Makes FOLDER/root a place to chroot(8) to, with this machine's kernel in it, for this process and what it starts.
/// Says what could not be done; empty when all could.
std::string enter_peer_root(const std::string& folder);

/// Hides a file of that root: it is empty from now on.
bool hide_in_peer_root(const std::string& folder, const std::string& path);

} // namespace dt::bench
