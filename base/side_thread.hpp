// Threads for what the kernel takes long to do.
#pragma once

#include <functional>
#include <thread>

namespace dt {

/// Runs `work` in a thread that takes no signals: they are for the run loop. Not joinable where there are no more
/// threads, or no memory for one.
std::thread side_thread(std::function<void()> work);

} // namespace dt
