// Serves HTTP with libmicrohttpd without a thread of its own: the event loop waits for the library's epoll descriptor.
// The library is loaded with dlopen(), because it depends on a TLS library, and only a service needs HTTP.
#include "cmd/service/control.hpp"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/linkage.hpp"
#include "dcompiler/interface/render.hpp"

namespace dt::service {

/// Functions of libmicrohttpd, with the types from its header.
struct HttpLibrary : OpenedLibrary {
    using OpenedLibrary::OpenedLibrary;

    decltype(&MHD_start_daemon) start_daemon = find("MHD_start_daemon");
    decltype(&MHD_stop_daemon) stop_daemon = find("MHD_stop_daemon");
    decltype(&MHD_run) run = find("MHD_run");
    decltype(&MHD_get_timeout) get_timeout = find("MHD_get_timeout");
    decltype(&MHD_get_daemon_info) get_daemon_info = find("MHD_get_daemon_info");
    decltype(&MHD_get_connection_info) get_connection_info = find("MHD_get_connection_info");
    decltype(&MHD_lookup_connection_value) lookup_value = find("MHD_lookup_connection_value");
    decltype(&MHD_create_response_from_buffer) create_response = find("MHD_create_response_from_buffer");
    decltype(&MHD_create_response_from_iovec) create_response_of_parts = find("MHD_create_response_from_iovec");
    decltype(&MHD_create_response_from_callback) create_stream = find("MHD_create_response_from_callback");
    decltype(&MHD_destroy_response) destroy_response = find("MHD_destroy_response");
    decltype(&MHD_add_response_header) add_header = find("MHD_add_response_header");
    decltype(&MHD_queue_response) queue_response = find("MHD_queue_response");
    decltype(&MHD_suspend_connection) suspend = find("MHD_suspend_connection");
    decltype(&MHD_resume_connection) resume = find("MHD_resume_connection");
};

/// Returns libmicrohttpd's functions, or null if the library or one of its functions is missing.
const HttpLibrary* http_library();

namespace {

using Clock = EventLoop::Clock;

constexpr const char* kQueries[] = {"name", "path", "format"};

/// One request while it is received.
struct Incoming {
    Request request;
    Clock::time_point began = Clock::now();
    bool is_too_large = false;
};

/// A response that is sent piece by piece as its data arrives, so its length is unknown. While there is no data, the
/// connection is suspended.
struct Stream {
    const HttpLibrary& library;
    MHD_Connection* connection;
    std::shared_ptr<output::Follower> follower;
    std::set<Stream*>& all;
    bool is_suspended = false;

    ~Stream()
    {
        follower->when_ready(nullptr);
        follower->leave();
        all.erase(this);
    }
    void go_on()
    {
        if (std::exchange(is_suspended, false))
            library.resume(connection);
    }
    /// Returns whether the client has closed the connection. libmicrohttpd does not report that for a suspended
    /// connection.
    bool is_left() const
    {
        const MHD_ConnectionInfo* const info =
            library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        pollfd polled{info ? info->connect_fd : -1, POLLRDHUP, 0};
        return poll(&polled, 1, 0) > 0;
    }

    static ssize_t read(void* self, uint64_t /*position*/, char* room, std::size_t size)
    {
        Stream& it = *static_cast<Stream*>(self);
        const std::string bytes = it.follower->take(size);
        std::memcpy(room, bytes.data(), bytes.size());
        if (!bytes.empty())
            return static_cast<ssize_t>(bytes.size());
        if (it.follower->is_over())
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (it.is_left())
            return MHD_CONTENT_READER_END_WITH_ERROR;
        it.is_suspended = true;
        it.library.suspend(it.connection);
        return 0;
    }
    static void end(void* self) { delete static_cast<Stream*>(self); }
};

std::string error_body(std::string_view message)
{
    return "{\"error\":" + json_string(message) + "}\n";
}

} // namespace

struct Control::Impl {
    Impl(const HttpLibrary& library_, EventLoop& loop_, Answer answer_, std::string path_, int descriptor_)
        : library(library_), host(loop_), answer(std::move(answer_)), path(std::move(path_)), descriptor(descriptor_)
    {
    }
    ~Impl()
    {
        *alive = false;
        for (Stream* const stream : streams)
            stream->go_on(); // resumes the stream, because libmicrohttpd cannot close a suspended connection
        if (MHD_UNSIGNED_LONG_LONG ms = 0; daemon)
            run(ms); // sends the last data to all clients that follow a script; the traces have ended
        if (waited_for >= 0)
            host.unwatch(waited_for);
        if (daemon)
            library.stop_daemon(daemon); // stopping the HTTP server also closes the listening descriptor
        else
            close(descriptor);
        if (path.find('/') != std::string::npos)
            unlink(path.c_str());
    }

    const HttpLibrary& library;
    EventLoop& host;
    const Answer answer;
    const std::string path;
    const int descriptor;
    MHD_Daemon* daemon = nullptr;
    int waited_for = -1;
    /// whether this object still exists: its destructor sets the value to false, and its timers check it
    std::shared_ptr<bool> alive = std::make_shared<bool>(true);
    bool has_timer = false, looks_after_streams = false, has_news = false;
    std::set<Stream*> streams;
    Clock::time_point second{}; ///< start of the second in which requests are counted now
    /// number of requests of each user in the present second; each user has a separate limit, so that other users
    /// cannot use up root's requests
    std::map<uid_t, unsigned> requests;

    Result<void> start();
    void turn();
    bool run(MHD_UNSIGNED_LONG_LONG& ms);
    void look_after_streams();
    MHD_Result send_stream(MHD_Connection* connection, std::shared_ptr<output::Follower> follower);
    bool is_too_often(uid_t user);
    Reply reply_to(const Incoming& incoming);
    MHD_Response* response_of(std::shared_ptr<output::MetricPage> page) const;
    MHD_Result send(MHD_Connection* connection, const Reply& reply) const;
    Incoming* begin(MHD_Connection* connection, const char* url, const char* method) const;

    static MHD_Result handle(void* self, MHD_Connection* connection, const char* url, const char* method,
                             const char* version, const char* data, std::size_t* size, void** context);
    static void forget(void* self, MHD_Connection* connection, void** context, MHD_RequestTerminationCode why);
};

Result<void> Control::Impl::start()
{
    daemon = library.start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr, handle, this,
                                  MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT, kMaxConnections,
                                  MHD_OPTION_CONNECTION_TIMEOUT, kTimeout, MHD_OPTION_NOTIFY_COMPLETED, forget, this,
                                  MHD_OPTION_END);
    if (!daemon)
        return Error{"libmicrohttpd cannot be started", EINVAL};
    const MHD_DaemonInfo* const info = library.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info)
        return Error{"libmicrohttpd has no epoll", EINVAL};
    waited_for = info->epoll_fd;
    host.watch(waited_for, [this] { turn(); });
    return {};
}

/// Runs libmicrohttpd. Returns false if it needs no timeout, else true with the ms until the next call.
bool Control::Impl::run(MHD_UNSIGNED_LONG_LONG& ms)
{
    constexpr int kMaxRounds = 100;
    bool is_awaited = true;
    ms = 0;
    for (int round = 0; round < kMaxRounds && is_awaited && ms == 0; ++round) {
        library.run(daemon);
        is_awaited = library.get_timeout(daemon, &ms) == MHD_YES;
    }
    return is_awaited;
}

/// Runs libmicrohttpd and schedules the next call for its timeout.
void Control::Impl::turn()
{
    MHD_UNSIGNED_LONG_LONG ms = 0;
    if (!run(ms) || std::exchange(has_timer, true))
        return;
    host.at(Clock::now() + std::chrono::milliseconds(ms + 1), [this, still = alive] {
        if (!*still)
            return;
        has_timer = false;
        turn();
    });
}

void Control::Impl::look_after_streams()
{
    looks_after_streams = !streams.empty();
    if (!looks_after_streams)
        return;
    for (Stream* const stream : streams)
        if (stream->is_suspended && stream->is_left())
            stream->go_on();
    turn();
    host.at(Clock::now() + std::chrono::seconds(kTimeout), [this, still = alive] {
        if (*still)
            look_after_streams();
    });
}

MHD_Result Control::Impl::send_stream(MHD_Connection* connection, std::shared_ptr<output::Follower> follower)
{
    constexpr std::size_t kPart = 32 * 1024;
    std::unique_ptr<Stream> stream(new Stream{library, connection, follower, streams});
    MHD_Response* const response =
        library.create_stream(MHD_SIZE_UNKNOWN, kPart, Stream::read, stream.get(), Stream::end);
    if (!response)
        return MHD_NO;
    Stream* const made = stream.release(); // the stream is deleted together with the HTTP response
    streams.insert(made);
    // The follower calls this function during a pass of the trace, in which requests must not be handled. So the event
    // loop continues the stream later.
    follower->when_ready([this, made] {
        made->go_on();
        if (!std::exchange(has_news, true))
            host.at(Clock::now(), [this, still = alive] {
                if (!*still)
                    return;
                has_news = false;
                turn();
            });
    });
    const MHD_Result queued = library.queue_response(connection, status::kOk, response);
    library.destroy_response(response);
    if (!std::exchange(looks_after_streams, true))
        host.at(Clock::now() + std::chrono::seconds(kTimeout), [this, still = alive] {
            if (*still)
                look_after_streams();
        });
    return queued;
}

bool Control::Impl::is_too_often(uid_t user)
{
    const auto now = Clock::now();
    if (now - second >= std::chrono::seconds(1)) {
        second = now;
        requests.clear();
    }
    return ++requests[user] > kMaxRequests;
}

Reply Control::Impl::reply_to(const Incoming& incoming)
{
    if (is_too_often(incoming.request.peer.user))
        return {status::kTooMany, error_body("more than " + std::to_string(kMaxRequests) + " requests in a second")};
    if (incoming.is_too_large)
        return {status::kTooLarge, error_body("a request may have at most " + std::to_string(kMaxBody) + " bytes")};
    Reply reply = answer(incoming.request);
    if (reply.follower && streams.size() >= kMaxStreams)
        return {status::kTooMany,
                error_body("more than " + std::to_string(kMaxStreams) + " clients already follow records")};
    return reply;
}

/// Returns a response that sends a page of metrics and owns it. The page is not copied, because it may have megabytes.
MHD_Response* Control::Impl::response_of(std::shared_ptr<output::MetricPage> page) const
{
    std::vector<MHD_IoVec> parts;
    for (const std::string_view part : page->parts())
        if (!part.empty())
            parts.push_back({part.data(), part.size()});
    using Kept = std::shared_ptr<output::MetricPage>;
    auto kept = std::make_unique<Kept>(std::move(page));
    MHD_Response* const response = library.create_response_of_parts(
        parts.data(), static_cast<unsigned>(parts.size()), [](void* sent) { delete static_cast<Kept*>(sent); },
        kept.get());
    if (response)
        kept.release(); // the page is deleted together with the HTTP response
    return response;
}

MHD_Result Control::Impl::send(MHD_Connection* connection, const Reply& reply) const
{
    MHD_Response* const response =
        reply.page
            ? response_of(reply.page)
            : library.create_response(reply.body.size(), const_cast<char*>(reply.body.data()), MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    library.add_header(response, "Content-Type", reply.content_type.c_str());
    const MHD_Result queued = library.queue_response(connection, reply.status, response);
    library.destroy_response(response);
    return queued;
}

Incoming* Control::Impl::begin(MHD_Connection* connection, const char* url, const char* method) const
{
    auto incoming = std::make_unique<Incoming>();
    Request& request = incoming->request;
    request.path = url;
    request.method = method;
    for (const char* name : kQueries)
        if (const char* const value = library.lookup_value(connection, MHD_GET_ARGUMENT_KIND, name))
            request.query[name] = value;
    if (const char* const accept = library.lookup_value(connection, MHD_HEADER_KIND, "Accept"))
        request.accept = accept;
    const MHD_ConnectionInfo* const info = library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    ucred peer{};
    socklen_t size = sizeof peer;
    if (info && getsockopt(info->connect_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
        request.peer = {peer.uid, peer.pid};
    return incoming.release();
}

/// libmicrohttpd calls this function several times for a request: first without a body, then for each part of the body,
/// and finally without data.
MHD_Result Control::Impl::handle(void* self, MHD_Connection* connection, const char* url, const char* method,
                                 const char* /*version*/, const char* data, std::size_t* size, void** context)
{
    Impl& it = *static_cast<Impl*>(self);
    try {
        if (!*context) {
            *context = it.begin(connection, url, method);
            return MHD_YES;
        }
        auto& incoming = *static_cast<Incoming*>(*context);
        if (*size == 0) {
            const Reply reply = it.reply_to(incoming);
            return reply.follower ? it.send_stream(connection, reply.follower) : it.send(connection, reply);
        }
        if (Clock::now() - incoming.began > std::chrono::seconds(kTimeout))
            return MHD_NO; // refuses the request, because the client sends too slowly
        std::string& body = incoming.request.body;
        incoming.is_too_large |= *size > kMaxBody - body.size();
        if (!incoming.is_too_large)
            body.append(data, *size);
        *size = 0;
        return MHD_YES;
    } catch (const std::bad_alloc&) { // exceptions must not pass through C code
        return MHD_NO;
    }
}

void Control::Impl::forget(void* /*self*/, MHD_Connection* /*connection*/, void** context,
                           MHD_RequestTerminationCode /*why*/)
{
    delete static_cast<Incoming*>(std::exchange(*context, nullptr));
}

Control::Control(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Control::~Control() = default;

Result<std::unique_ptr<Control>> Control::open(const std::string& path, EventLoop& host, Answer answer)
{
    const HttpLibrary* const library = http_library();
    if (!library)
        return Error{missing_library("the control socket", "libmicrohttpd.so.12", "libmicrohttpd12"), ENOENT};
    const Result<int> descriptor = listen_at(path, kMaxConnections);
    if (!descriptor)
        return descriptor.error();
    auto impl = std::make_unique<Impl>(*library, host, std::move(answer), path, descriptor.value());
    if (const Result<void> started = impl->start(); !started)
        return started.error();
    return std::unique_ptr<Control>(new Control(std::move(impl)));
}

const HttpLibrary* http_library()
{
    static const HttpLibrary library("libmicrohttpd.so.12");
    return library.is_complete() ? &library : nullptr;
}

// Listens on a Unix socket, or on a numeric address with a port.

namespace {

Error reason(int code)
{
    return {std::strerror(code), code};
}

/// Creates the directory of the socket. The directories above it must exist.
void make_folder_of(const std::string& path)
{
    if (const auto slash = path.rfind('/'); slash != std::string::npos && slash != 0)
        mkdir(path.substr(0, slash).c_str(), 0755);
}

/// Returns whether a server accepts connections at the socket's path.
bool is_served(const sockaddr_un& address)
{
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool answers =
        descriptor >= 0 && connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    return answers;
}

/// Listens on a Unix socket. Replaces a socket file that a killed service has left, but fails if a running service uses
/// it.
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
            return Error{"another service is using this socket", EADDRINUSE};
        unlink(path.c_str());
    }
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return reason(errno);
    const mode_t before = umask(0117); // creates the socket with mode rw-rw----
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

/// Parses a numeric address, which may have a scope (fe80::1%eth0). An empty address means all IPv4 addresses.
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
        return Error{"give an address with a port, such as 127.0.0.1:9464, or the absolute path of a socket", EINVAL};
    std::string host = place.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    uint16_t port = 0;
    const char* const end = place.data() + place.size();
    const auto number = std::from_chars(place.data() + colon + 1, end, port);
    const auto address = read_address(host, port);
    if (!address || number.ec != std::errc() || number.ptr != end)
        return Error{"give the address and the port as numbers, as in 127.0.0.1:9464 or [::1]:9464", EINVAL};
    const int descriptor = socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return reason(errno);
    const int yes = 1; // allows the service to listen while old connections to the same address are still closing
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
