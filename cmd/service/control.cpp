// Runs libmicrohttpd without a thread of its own: the event loop waits for its epoll descriptor.
#include "cmd/service/control.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/linkage.hpp"
#include "cmd/service/http_library.hpp"
#include "cmd/service/listen.hpp"
#include "dcompiler/render_json.hpp"

namespace dt::service {
namespace {

using Clock = Host::Clock;

constexpr const char* kQueries[] = {"name", "path", "format"};

/// One request while it is received.
struct Incoming {
    Request request;
    Clock::time_point began = Clock::now();
    bool is_too_large = false;
};

/// A response that is sent as data arrives. The connection is suspended while no data is available.
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
    /// Returns whether the client has gone, which libmicrohttpd does not report for a suspended connection.
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
    Impl(const HttpLibrary& library_, Host& host_, Answer answer_, std::string path_, int descriptor_)
        : library(library_), host(host_), answer(std::move(answer_)), path(std::move(path_)), descriptor(descriptor_)
    {
    }
    ~Impl()
    {
        *alive = false;
        for (Stream* const stream : streams)
            stream->go_on(); // a suspended connection cannot be closed
        if (MHD_UNSIGNED_LONG_LONG ms = 0; daemon)
            run(ms); // sends the last data, because all traces have ended
        if (waited_for >= 0)
            host.unwatch(waited_for);
        if (daemon)
            library.stop_daemon(daemon); // also closes the descriptor
        else
            close(descriptor);
        if (path.find('/') != std::string::npos)
            unlink(path.c_str());
    }

    const HttpLibrary& library;
    Host& host;
    const Answer answer;
    const std::string path;
    const int descriptor;
    MHD_Daemon* daemon = nullptr;
    int waited_for = -1;
    std::shared_ptr<bool> alive = std::make_shared<bool>(true); ///< false after destruction; checked by pending timers
    bool has_timer = false, looks_after_streams = false, has_news = false;
    std::set<Stream*> streams;
    Clock::time_point second{};         ///< start of the second in which requests are counted
    std::map<uid_t, unsigned> requests; ///< requests of each user in this second: users cannot use up root's share

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
                                  MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT, kMostConnections,
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
    constexpr int kMostRounds = 100;
    bool is_awaited = true;
    ms = 0;
    for (int round = 0; round < kMostRounds && is_awaited && ms == 0; ++round) {
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
    Stream* const made = stream.release(); // owned by the response
    streams.insert(made);
    follower->when_ready([this, made] { // called during a pass, in which no requests may be handled
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
    return ++requests[user] > kMostRequests;
}

Reply Control::Impl::reply_to(const Incoming& incoming)
{
    if (is_too_often(incoming.request.peer.user))
        return {status::kTooMany, error_body("more than " + std::to_string(kMostRequests) + " requests in a second")};
    if (incoming.is_too_large)
        return {status::kTooLarge, error_body("a request has at most " + std::to_string(kMostBody) + " bytes")};
    Reply reply = answer(incoming.request);
    if (reply.follower && streams.size() >= kMostStreams)
        return {status::kTooMany, error_body("more than " + std::to_string(kMostStreams) + " follow already")};
    return reply;
}

/// Returns a response that sends a page of metrics, which may have megabytes, without copying. The response owns the
/// page.
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
        kept.release(); // owned by the response
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

/// Called by libmicrohttpd: first without a body, then for each part of it, and finally without data.
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
            return MHD_NO; // the client sends too slowly
        std::string& body = incoming.request.body;
        incoming.is_too_large |= *size > kMostBody - body.size();
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

Result<std::unique_ptr<Control>> Control::open(const std::string& path, Host& host, Answer answer)
{
    const HttpLibrary* const library = http_library();
    if (!library)
        return Error{missing_library("the control socket", "libmicrohttpd.so.12", "libmicrohttpd12"), ENOENT};
    const Result<int> descriptor = listen_at(path, kMostConnections);
    if (!descriptor)
        return descriptor.error();
    auto impl = std::make_unique<Impl>(*library, host, std::move(answer), path, descriptor.value());
    if (const Result<void> started = impl->start(); !started)
        return started.error();
    return std::unique_ptr<Control>(new Control(std::move(impl)));
}

} // namespace dt::service
