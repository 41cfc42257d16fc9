// Parses messages "ACTION@PATH", which end with a NUL and further text that is ignored here (lib/kobject_uevent.c).
#include "libdtrace/host/cpu_events.hpp"

#include <charconv>

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dt {
namespace {

constexpr unsigned kKernelsOwn = 1; // multicast group of the kernel's own messages

} // namespace

CpuEvents::~CpuEvents()
{
    if (socket_ >= 0)
        close(socket_);
}

void CpuEvents::listen()
{
    if (socket_ >= 0)
        return;
    socket_ = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = kKernelsOwn;
    if (socket_ >= 0 && bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close(socket_);
        socket_ = -1;
    }
}

std::vector<int> CpuEvents::gone()
{
    std::vector<int> cpus;
    char text[2048];
    for (;;) {
        pollfd waiting{socket_, POLLIN, 0}; // avoids a failing recv(), which system-call monitors would show
        const ssize_t got = poll(&waiting, 1, 0) <= 0 ? -1 : recv(socket_, text, sizeof text, MSG_DONTWAIT);
        if (got < 0)
            return cpus;
        if (const int cpu = cpu_gone({text, static_cast<std::size_t>(got)}); cpu >= 0)
            cpus.push_back(cpu);
    }
}

int cpu_gone(std::string_view announcement)
{
    constexpr std::string_view kBegin = "offline@/devices/system/cpu/cpu";
    announcement = announcement.substr(0, announcement.find('\0'));
    if (!announcement.starts_with(kBegin))
        return -1;
    int cpu = -1;
    const char* const end = announcement.data() + announcement.size();
    const auto read = std::from_chars(announcement.data() + kBegin.size(), end, cpu);
    return read.ec == std::errc() && read.ptr == end ? cpu : -1;
}

} // namespace dt
