// A socket of this machine, or an address with a port.
#include "cmd/service/listen.hpp"

#include <grp.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace dt::service {
namespace {

Error reason(int code)
{
    return {std::strerror(code), code};
}

/// The socket's own folder may be missing, not those above it.
void make_folder_of(const std::string& path)
{
    if (const auto slash = path.rfind('/'); slash != std::string::npos && slash != 0)
        mkdir(path.substr(0, slash).c_str(), 0755);
}

/// Does somebody answer there?
bool is_served(const sockaddr_un& address)
{
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool answers =
        descriptor >= 0 && connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    return answers;
}

/// What a service that was killed left there is taken away; one that lives is left alone.
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
    const mode_t before = umask(0117); // rw-rw----
    const bool bound = bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    int code = errno;
    umask(before);
    if (bound) {
        const group* const entry = getgrnam("dtrace");
        if (!entry || chown(path.c_str(), static_cast<uid_t>(-1), entry->gr_gid) != 0)
            chmod(path.c_str(), 0600);
        if (listen(descriptor, static_cast<int>(waiting)) == 0)
            return descriptor;
        code = errno;
        unlink(path.c_str());
    }
    close(descriptor);
    return reason(code);
}

/// "127.0.0.1:9464", "[::1]:9464", ":9464". Names are not looked up: nothing here waits for a network.
Result<int> listen_at_address(const std::string& address, unsigned waiting)
{
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos)
        return Error{"an address has a port, as 127.0.0.1:9464 has, and a socket a path from the root", EINVAL};
    std::string host = address.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    const int code =
        getaddrinfo(host.empty() ? nullptr : host.c_str(), address.substr(colon + 1).c_str(), &wanted, &found);
    if (code != 0)
        return Error{gai_strerror(code), EINVAL};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
    const int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return reason(errno);
    const int yes = 1; // one that has just ended leaves the port in use for a while
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, found->ai_addr, found->ai_addrlen) == 0 && listen(descriptor, static_cast<int>(waiting)) == 0)
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
