// Threads for long kernel operations.
#pragma once

#include <functional>
#include <thread>

namespace dt {

/// Runs `work` in a thread with all signals blocked, because they are meant for the event loop. Returns a thread that
/// is not joinable if none could be created.
std::thread side_thread(std::function<void()> work);

} // namespace dt
