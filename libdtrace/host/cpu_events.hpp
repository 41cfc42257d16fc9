// Which CPUs have gone offline, as the kernel announces it: a CPU may be gone and back between two looks at the list of
// those that are online, and its perf events have ended all the same.
#pragma once

#include <string_view>
#include <vector>

namespace dt {

class CpuEvents {
public:
    CpuEvents() = default;
    CpuEvents(const CpuEvents&) = delete;
    CpuEvents& operator=(const CpuEvents&) = delete;
    ~CpuEvents();

    /// From now on. Where that is not allowed (a user namespace of its own), nobody tells.
    void listen();
    /// Readable when gone() has something to look at; -1: nobody tells.
    int descriptor() const { return socket_; }
    /// Those that went offline since the last call; they may be back.
    std::vector<int> gone();

private:
    int socket_ = -1;
};

/// The number of the CPU that an announcement says has gone offline; -1: it is about something else.
int cpu_gone(std::string_view announcement);

} // namespace dt
