// Descriptors that one process gives another over a socket of theirs (unix(7), SCM_RIGHTS).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dt {

/// A socket that keeps messages apart. They stay the caller's. False: an errno; some may have gone.
bool send_descriptors(int socket, std::span<const int> descriptors);

/// What the other side has sent so far, and no more than so many: the caller's to close, closed with exec(2). Waits for
/// nobody. Empty: it was less, or cannot be received; then none are open.
std::vector<int> receive_descriptors(int socket, std::size_t count);

} // namespace dt
