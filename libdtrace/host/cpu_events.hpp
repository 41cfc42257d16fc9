// Notifications of CPUs that go offline (netlink uevents). A CPU can go offline and return between two reads of the
// list of online CPUs, but its perf events have ended by then.
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

    /// Starts listening. Without permission, as in a separate user namespace, no events arrive.
    void listen();
    /// Returns a descriptor that is readable when gone() has news, or -1 if the kernel sends none.
    int descriptor() const { return socket_; }
    /// Returns the CPUs that went offline since the last call; some may be online again.
    std::vector<int> gone();

private:
    int socket_ = -1;
};

/// Returns the number of the CPU that went offline, or -1 if the message is about something else.
int cpu_gone(std::string_view announcement);

} // namespace dt
