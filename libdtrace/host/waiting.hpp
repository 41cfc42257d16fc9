// One place where the loop sleeps: descriptors are told to the kernel once, and not each time it sleeps (a service of
// 24 scripts has more than fifty).
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

    /// errno, if there is no such place.
    int error() const { return error_; }

    /// From now on wait() sets `ready` when something can be read there. One descriptor may be of several, each with a
    /// flag of its own. -1, and what cannot be waited for (a file on disk): nothing.
    void add(int descriptor, bool& ready);
    /// Before it is closed, as others may get its number.
    void remove(int descriptor, const bool& ready);

    /// Makes those of `ready` be `now` that were `before`.
    void change(std::vector<int>& before, std::vector<int> now, bool& ready);

    /// True: some flag was set. Else the time is over, or a signal came.
    bool wait(std::chrono::milliseconds most);

private:
    int epoll_ = -1, error_ = 0;
    std::multimap<int, bool*> flags_; ///< by descriptor
};

} // namespace dt
