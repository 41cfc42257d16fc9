// Listens on a Unix socket, or on a numeric address with a port.
#include "cmd/service/listen.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/linkage.hpp"

namespace dt::service {
namespace {

Error reason(int code)
{
    return {std::strerror(code), code};
}

/// Creates the directory of the socket, but not the directories above it.
void make_folder_of(const std::string& path)
{
    if (const auto slash = path.rfind('/'); slash != std::string::npos && slash != 0)
        mkdir(path.substr(0, slash).c_str(), 0755);
}

/// Returns whether a server accepts connections at the socket.
bool is_served(const sockaddr_un& address)
{
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool answers =
        descriptor >= 0 && connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    return answers;
}

/// Listens on a Unix socket. Replaces a socket left by a killed service, but fails if a running service uses it.
Result<int> listen_at_socket(const std::string& path, unsigned waiting)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return reason(ENAMETOOLONG);
    std::memcpy(address.sun_path, path.data(), path.size());
    make_folder_of(path);
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
        if (is_served(address))
            return Error{"another service answers there", EADDRINUSE};
        unlink(path.c_str());
    }
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return reason(errno);
    const mode_t before = umask(0117); // mode rw-rw----
    const bool bound = bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    int code = errno;
    umask(before);
    if (bound) {
        const std::optional<gid_t> group = find_group("dtrace");
        if (!group || chown(path.c_str(), static_cast<uid_t>(-1), *group) != 0)
            chmod(path.c_str(), 0600);
        if (listen(descriptor, static_cast<int>(waiting)) == 0)
            return descriptor;
        code = errno;
        unlink(path.c_str());
    }
    close(descriptor);
    return reason(code);
}

struct Address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
};

/// Parses a numeric address, which may have a scope (fe80::1%eth0). An empty one means all IPv4 addresses.
std::optional<Address> read_address(const std::string& host, uint16_t port)
{
    Address made;
    auto& old = reinterpret_cast<sockaddr_in&>(made.bytes);
    if (host.empty() || inet_pton(AF_INET, host.c_str(), &old.sin_addr) == 1) {
        old.sin_family = AF_INET;
        old.sin_port = htons(port);
        made.size = sizeof old;
        return made;
    }
    const std::size_t percent = host.find('%');
    auto& address = reinterpret_cast<sockaddr_in6&>(made.bytes);
    address.sin6_scope_id = percent == std::string::npos ? 0 : if_nametoindex(host.c_str() + percent + 1);
    if (inet_pton(AF_INET6, host.substr(0, percent).c_str(), &address.sin6_addr) != 1 ||
        (percent != std::string::npos && address.sin6_scope_id == 0))
        return std::nullopt;
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    made.size = sizeof address;
    return made;
}

/// Listens at an address such as "127.0.0.1:9464", "[::1]:9464" or ":9464". Names are not resolved, because the service
/// must not wait for a network.
Result<int> listen_at_address(const std::string& place, unsigned waiting)
{
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos)
        return Error{"an address has a port, as 127.0.0.1:9464 has, and a socket a path from the root", EINVAL};
    std::string host = place.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    uint16_t port = 0;
    const char* const end = place.data() + place.size();
    const auto number = std::from_chars(place.data() + colon + 1, end, port);
    const auto address = read_address(host, port);
    if (!address || number.ec != std::errc() || number.ptr != end)
        return Error{"an address and a port are numbers, as in 127.0.0.1:9464 or [::1]:9464", EINVAL};
    const int descriptor = socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return reason(errno);
    const int yes = 1; // allows binding while connections of a previous process linger
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address->bytes), address->size) == 0 &&
        listen(descriptor, static_cast<int>(waiting)) == 0)
        return descriptor;
    const int failed = errno;
    close(descriptor);
    return reason(failed);
}

} // namespace

Result<int> listen_at(const std::string& place, unsigned waiting)
{
    return place.find('/') != std::string::npos ? listen_at_socket(place, waiting) : listen_at_address(place, waiting);
}

} // namespace dt::service
