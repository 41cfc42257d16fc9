// Blocks signals around the creation, because a thread inherits its creator's signal mask.
#include "base/side_thread.hpp"

#include <csignal>
#include <system_error>
#include <utility>

namespace dt {

std::thread side_thread(std::function<void()> work)
{
    std::thread made;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        made = std::thread(std::move(work));
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
}

} // namespace dt
