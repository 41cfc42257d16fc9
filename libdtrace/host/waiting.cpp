// Uses level-triggered epoll(7): unread data is reported again.
#include "libdtrace/host/waiting.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

namespace dt {

Waiting::Waiting() : epoll_(epoll_create1(EPOLL_CLOEXEC)), error_(epoll_ < 0 ? errno : 0) {}

Waiting::~Waiting()
{
    if (epoll_ >= 0)
        close(epoll_);
}

void Waiting::add(int descriptor, bool& ready)
{
    const auto [first, last] = flags_.equal_range(descriptor);
    if (descriptor < 0 || std::any_of(first, last, [&](const auto& each) { return each.second == &ready; }))
        return;
    epoll_event event{EPOLLIN, {}};
    event.data.fd = descriptor;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0 || errno == EEXIST)
        flags_.emplace(descriptor, &ready);
}

void Waiting::remove(int descriptor, const bool& ready)
{
    const auto [first, last] = flags_.equal_range(descriptor);
    const auto found = std::find_if(first, last, [&](const auto& each) { return each.second == &ready; });
    if (found == last)
        return;
    flags_.erase(found);
    if (!flags_.contains(descriptor))
        epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

void Waiting::change(std::vector<int>& before, std::vector<int> now, bool& ready)
{
    if (before == now)
        return;
    const auto is_in = [](const std::vector<int>& list, int descriptor) {
        return std::find(list.begin(), list.end(), descriptor) != list.end();
    };
    for (const int descriptor : before)
        if (!is_in(now, descriptor))
            remove(descriptor, ready);
    for (const int descriptor : now)
        if (!is_in(before, descriptor))
            add(descriptor, ready);
    before = std::move(now);
}

bool Waiting::wait(std::chrono::milliseconds most)
{
    epoll_event events[32]; // the next call returns further ones
    const int count = epoll_wait(epoll_, events, static_cast<int>(std::size(events)), static_cast<int>(most.count()));
    for (int i = 0; i < count; ++i) {
        const auto [first, last] = flags_.equal_range(events[i].data.fd);
        std::for_each(first, last, [](const auto& each) { *each.second = true; });
    }
    return count > 0;
}

} // namespace dt
