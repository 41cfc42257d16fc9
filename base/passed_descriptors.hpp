// Passing of file descriptors between processes over a Unix socket (unix(7), SCM_RIGHTS).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dt {

/// Sends descriptors, which the caller keeps, over a socket that preserves message boundaries. Returns false with errno
/// set on failure; some may have been sent.
bool send_descriptors(int socket, std::span<const int> descriptors);

/// Returns exactly `count` descriptors that the peer has sent, for the caller to close. They have close-on-exec set.
/// Never blocks. Returns an empty list, with all received ones closed, if fewer have arrived.
std::vector<int> receive_descriptors(int socket, std::size_t count);

} // namespace dt
