#include "engine/embed/listener.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "engine/embed/live_socket.hpp"

namespace dt::embed {
namespace {

constexpr std::size_t kMaxTracers = 8;
constexpr std::size_t kMaxWords = 24; // maximum number of arguments of a probe site
constexpr std::size_t kMaxPlaced = 8; // maximum number of counter sections in a tracer's object
constexpr timeval kAnswerTime{10, 0}; // time limit for sending to a tracer; after it, the tracer is treated as gone

/// Starts a thread with all signals blocked, because signals are meant for the program's own threads.
template <typename Run> std::thread quiet_thread(Run run)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::move(run));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

std::string name_of_program()
{
    char path[4096] = "";
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    const std::string_view whole(path, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return std::string(whole.substr(whole.rfind('/') + 1));
}

std::string text_of(const char* text)
{
    return text ? text : "";
}

/// Sockets that a forked child must close. As long as the child has them open, their peers do not notice that the
/// parent has ended.
class InheritedSockets {
public:
    static InheritedSockets& all()
    {
        // the object is never freed, because the process may fork at any time
        static InheritedSockets* const those = new InheritedSockets;
        return *those;
    }
    void add(int socket)
    {
        const std::lock_guard lock(mutex_);
        sockets_.insert(socket);
    }
    /// Closes the socket, unless this process is a forked child that has already closed it.
    void remove(int socket)
    {
        const std::lock_guard lock(mutex_);
        if (sockets_.erase(socket) != 0)
            close(socket);
    }

private:
    InheritedSockets()
    {
        pthread_atfork([] { all().mutex_.lock(); }, [] { all().mutex_.unlock(); }, [] { all().forget(); });
    }
    void forget()
    {
        for (const int socket : sockets_)
            close(socket);
        sockets_.clear();
        mutex_.unlock();
    }

    std::mutex mutex_;
    std::set<int> sockets_;
};

/// The open listeners. When the process exits, each listener stores final results for its tracers.
class OpenListeners {
public:
    void add(Listener* listener)
    {
        const std::lock_guard lock(mutex_);
        all_.insert(listener);
    }
    void remove(Listener* listener)
    {
        const std::lock_guard lock(mutex_);
        all_.erase(listener);
    }
    ~OpenListeners()
    {
        const std::lock_guard lock(mutex_);
        for (Listener* listener : all_)
            listener->leave();
    }

private:
    std::mutex mutex_;
    std::set<Listener*> all_;
};

OpenListeners& open_listeners()
{
    static OpenListeners all;
    return all;
}

} // namespace

struct Listener::Tracer {
    int connection = -1;
    pid_t process = 0;
    std::thread thread;
    std::unique_ptr<LiveProgram> program;
    SharedSections placed; ///< counter sections that the tracer has sent for its next program
    bool is_gone = false;
};

Listener::Listener(std::string provider, std::span<dt_site* const> sites, const LiveLimits& limits)
    : provider_(std::move(provider)), sites_(sites.begin(), sites.end()), limits_(limits), process_(getpid())
{
    const std::string front = provider_ + std::to_string(process_) + ":" + name_of_program() + ":";
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        names_.push_back(front + text_of(sites_[i]->function) + ":" + text_of(sites_[i]->name));
        sites_[i]->number = static_cast<unsigned>(i);
    }
}

Result<std::unique_ptr<Listener>> Listener::open(const std::string& provider, std::span<dt_site* const> sites,
                                                 const LiveLimits& limits)
{
    std::unique_ptr<Listener> listener(new Listener(provider, sites, limits));
    const auto failed = [] { return Error{std::string("cannot listen to tracers: ") + std::strerror(errno), errno}; };
    listener->socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener->socket_ < 0)
        return failed();
    InheritedSockets::all().add(listener->socket_);
    const auto [address, size] = live_address(listener->process_);
    if (bind(listener->socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(listener->socket_, 4) != 0)
        return failed();
    for (dt_site* site : listener->sites_)
        site->listener = reinterpret_cast<dt_listener*>(listener.get());
    open_listeners().add(listener.get());
    listener->waiting_ = quiet_thread([it = listener.get()] { it->wait_for_tracers(); });
    return listener;
}

void Listener::leave()
{
    if (is_childs())
        return;
    const std::lock_guard lock(mutex_);
    for (const auto& tracer : tracers_)
        if (tracer->program)
            tracer->program->leave();
}

Listener::~Listener()
{
    open_listeners().remove(this);
    leave();
    if (is_childs()) { // a forked child does not have the listener's threads
        waiting_.detach();
        for (const auto& tracer : tracers_)
            tracer->thread.detach();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        for (const auto& tracer : tracers_)
            shutdown(tracer->connection, SHUT_RDWR);
    }
    if (socket_ >= 0)
        shutdown(socket_, SHUT_RDWR);
    if (waiting_.joinable())
        waiting_.join();
    for (const auto& tracer : tracers_)
        tracer->thread.join();
    InheritedSockets::all().remove(socket_);
    for (dt_site* site : sites_)
        site->listener = nullptr;
}

bool Listener::is_childs() const
{
    return current_process() != process_;
}

void Listener::hit(std::size_t site, std::span<const uint64_t> words)
{
    if (site >= sites_.size() || is_childs())
        return;
    const std::lock_guard lock(mutex_);
    for (const auto& tracer : tracers_)
        if (tracer->program)
            tracer->program->fire(site, words.first(std::min(words.size(), kMaxWords)));
}

void Listener::wait_for_tracers()
{
    for (;;) {
        const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0 && errno != EINTR && errno != ECONNABORTED && errno != EMFILE && errno != ENFILE)
            return;
        if (connection < 0) {
            usleep(10'000); // waits, because accept() would fail again immediately while no descriptor is free
            continue;
        }
        InheritedSockets::all().add(connection);
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
        try {
            adopt(connection);
        } catch (const std::exception&) { // without memory or a thread for this tracer, closes its connection
            InheritedSockets::all().remove(connection);
        }
    }
}

void Listener::adopt(int connection)
{
    const auto refuse = [&](const std::string& why) {
        send_answer(connection, 1, {reinterpret_cast<const uint8_t*>(why.data()), why.size()}, -1);
        InheritedSockets::all().remove(connection);
    };
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || (peer.uid != 0 && peer.uid != geteuid()))
        return refuse("the program belongs to another user");
    std::vector<std::unique_ptr<Tracer>> gone;
    {
        const std::lock_guard lock(mutex_);
        const auto ended = std::stable_partition(tracers_.begin(), tracers_.end(),
                                                 [](const auto& tracer) { return !tracer->is_gone; });
        std::move(ended, tracers_.end(), std::back_inserter(gone));
        tracers_.erase(ended, tracers_.end());
    }
    for (const auto& tracer : gone)
        tracer->thread.join();
    const std::lock_guard lock(mutex_);
    if (tracers_.size() >= kMaxTracers || is_ending_)
        return refuse(std::to_string(tracers_.size()) + " tracers are connected already");
    tracers_.push_back(std::make_unique<Tracer>());
    Tracer& tracer = *tracers_.back();
    tracer.connection = connection;
    tracer.process = peer.pid;
    tracer.thread = quiet_thread([this, &tracer] { serve(tracer); });
}

void Listener::serve(Tracer& tracer)
{
    try {
        while (std::optional<LiveRequest> request = receive_request(tracer.connection)) {
            int handed = -1;
            const auto answered = answer(tracer, request->ask, request->payload, request->descriptor, handed);
            const std::string why = answered ? std::string() : answered.error().message;
            const std::span<const uint8_t> reason(reinterpret_cast<const uint8_t*>(why.data()), why.size());
            const std::span<const uint8_t> payload = answered ? std::span(answered.value()) : reason;
            if (!send_answer(tracer.connection, answered ? 0 : 1, payload, handed))
                break;
        }
    } catch (const std::exception&) { // out of memory: the connection is closed, which the tracer notices
    }
    end_program(tracer);
    InheritedSockets::all().remove(tracer.connection);
    const std::lock_guard lock(mutex_);
    tracer.is_gone = true;
}

void Listener::end_program(Tracer& tracer)
{
    std::unique_ptr<LiveProgram> ended;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; tracer.program && i < sites_.size(); ++i)
        if (tracer.program->is_at(i))
            __atomic_fetch_sub(&sites_[i]->tracers, 1u, __ATOMIC_RELAXED);
    ended = std::move(tracer.program);
}

Result<std::vector<uint8_t>> Listener::load(Tracer& tracer, std::span<const uint8_t> object, int state, int& handed)
{
    // A program is loaded before the mutex is locked, because loading is slow.
    auto program = LiveProgram::load(object, state, names_, limits_, std::exchange(tracer.placed, {}));
    if (!program)
        return program.error();
    end_program(tracer);
    const std::lock_guard lock(mutex_);
    tracer.program = std::move(*program);
    for (std::size_t i = 0; i < sites_.size(); ++i)
        if (tracer.program->is_at(i))
            __atomic_fetch_add(&sites_[i]->tracers, 1u, __ATOMIC_RELAXED);
    handed = tracer.program->channel().descriptor();
    const std::string_view executor = tracer.program->executor();
    return std::vector<uint8_t>(executor.begin(), executor.end());
}

Result<std::vector<uint8_t>> Listener::answer(Tracer& tracer, wire::Ask ask, std::span<const uint8_t> payload,
                                              int descriptor, int& handed)
{
    if (ask == wire::Ask::Sites) {
        const std::string text = describe();
        return std::vector<uint8_t>(text.begin(), text.end());
    }
    if (ask == wire::Ask::Load)
        return load(tracer, payload, descriptor, handed);
    if (ask == wire::Ask::Place) {
        LiveState memory;
        if (tracer.placed.size() >= kMaxPlaced)
            return Error{"too many sections"};
        if (Result<void> opened = memory.open(descriptor, 0); !opened)
            return opened.error();
        tracer.placed.emplace_back(std::string(payload.begin(), payload.end()), std::move(memory));
        return std::vector<uint8_t>();
    }
    if (ask == wire::Ask::Unload) {
        const std::string stopped = tracer.program ? tracer.program->stopped() : std::string();
        end_program(tracer);
        return std::vector<uint8_t>(stopped.begin(), stopped.end());
    }
    const std::lock_guard lock(mutex_);
    if (!tracer.program)
        return Error{"no object is loaded"};
    const std::string text(payload.begin(), payload.end());
    uint32_t length = 0, place[2] = {};
    if (payload.size() >= sizeof length)
        std::memcpy(&length, payload.data(), sizeof length);
    switch (ask) {
    case wire::Ask::Read:
        return tracer.program->read(text);
    case wire::Ask::Clear:
        if (payload.size() < sizeof place)
            return Error{"the request is truncated"};
        std::memcpy(place, payload.data(), sizeof place);
        if (Result<void> cleared = tracer.program->clear(text.substr(sizeof place), place[0], place[1]); !cleared)
            return cleared.error();
        return std::vector<uint8_t>();
    case wire::Ask::Run:
        if (Result<void> ran = tracer.program->run(text); !ran)
            return ran.error();
        return std::vector<uint8_t>();
    case wire::Ask::Remove:
        if (payload.size() < sizeof length || length > payload.size() - sizeof length)
            return Error{"the request is truncated"};
        if (Result<void> removed =
                tracer.program->remove(text.substr(sizeof length, length), payload.subspan(sizeof length + length));
            !removed)
            return removed.error();
        return std::vector<uint8_t>();
    case wire::Ask::TakeTurn:
        for (const auto& each : tracers_) // no program is running, because the mutex is held
            if (each->program && each->process == tracer.process)
                each->program->set_active_epoch(tracer.program->epoch());
        return std::vector<uint8_t>();
    default:
        return Error{"unknown request"};
    }
}

std::string Listener::describe() const
{
    nlohmann::ordered_json all = {{"version", wire::kVersion}, {"provider", provider_}, {"module", name_of_program()}};
    all["sites"] = nlohmann::ordered_json::array();
    for (const dt_site* site : sites_)
        all["sites"].push_back(
            {{"function", text_of(site->function)}, {"name", text_of(site->name)}, {"types", text_of(site->types)}});
    return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace dt::embed
