// The epoll instance of the event loop. Descriptors are registered once and not at each wait: a service with 24 scripts
// has more than fifty.
#pragma once

#include <chrono>
#include <map>
#include <vector>

namespace dt {

class Waiting {
public:
    Waiting();
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Returns the errno of a failed creation, or 0.
    int error() const { return error_; }

    /// Makes wait() set `ready` when the descriptor is readable. A descriptor may have several flags. Ignores -1 and
    /// descriptors that cannot be polled, such as files on disk.
    void add(int descriptor, bool& ready);
    /// Removes the flag. Call it before closing the descriptor, because its number may be reused.
    void remove(int descriptor, const bool& ready);

    /// Replaces the descriptors `before` of a flag by `now`.
    void change(std::vector<int>& before, std::vector<int> now, bool& ready);

    /// Returns true if a flag was set, false after the timeout or a signal.
    bool wait(std::chrono::milliseconds most);

private:
    int epoll_ = -1, error_ = 0;
    std::multimap<int, bool*> flags_; ///< by descriptor
};

} // namespace dt
