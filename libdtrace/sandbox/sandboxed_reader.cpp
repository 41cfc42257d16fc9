// Runs a sandboxed reader and talks to it over a socket pair. A request is a function, a size and bytes; an answer is a
// size and bytes. The child's first message says whether it is sandboxed, and carries the descriptor that reports files
// to open.
#include "libdtrace/elf/confined_reader.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/elf/confinement.hpp"

namespace dt {
namespace {

constexpr int kNoMemory = 3; ///< exit status of a reader that ran out of memory
constexpr int kLookMs = 20;  ///< interval of time-limit checks
constexpr int kPatience = 3; ///< waiting limit in multiples of the CPU limit, for busy machines
constexpr int64_t kNsOfSecond = 1'000'000'000;

struct Request {
    ReadFunction function = nullptr;
    uint64_t size = 0;
};

bool send_all(int socket, const void* bytes, std::size_t size)
{
    const char* at = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += std::max<ssize_t>(sent, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    }
    return true;
}

bool take_all(int socket, void* bytes, std::size_t size)
{
    char* at = static_cast<char*>(bytes);
    while (size > 0) {
        const ssize_t got = ::read(socket, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += std::max<ssize_t>(got, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return true;
}

/// A message of one byte that may carry a descriptor.
struct OneByte {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};

    OneByte()
    {
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = space;
        message.msg_controllen = sizeof space;
    }
};

void say_confined(int socket, int opening)
{
    OneByte said;
    if (opening >= 0) {
        cmsghdr* const header = CMSG_FIRSTHDR(&said.message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof opening);
        std::memcpy(CMSG_DATA(header), &opening, sizeof opening);
    } else {
        said.message.msg_control = nullptr;
        said.message.msg_controllen = 0;
    }
    sendmsg(socket, &said.message, MSG_NOSIGNAL);
    if (opening >= 0)
        ::close(opening);
}

/// Serves requests until the socket is closed.
[[noreturn]] void serve(int socket, uint64_t memory, ReaderPreparation prepare)
{
    say_confined(socket, prepare(socket, memory));
    ReaderState state;
    Request request;
    try {
        while (take_all(socket, &request, sizeof request)) {
            std::string text(request.size, '\0');
            if (!take_all(socket, text.data(), text.size()))
                break;
            const std::string answer = request.function(state, text);
            const uint64_t size = answer.size();
            if (!send_all(socket, &size, sizeof size) || !send_all(socket, answer.data(), answer.size()))
                break;
        }
    } catch (const std::bad_alloc&) {
        _exit(kNoMemory);
    }
    _exit(0);
}

int64_t cpu_ns(pid_t pid)
{
    clockid_t clock{};
    timespec used{};
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 ? nanoseconds(used) : 0;
}

} // namespace

Result<std::unique_ptr<ConfinedReader>> ConfinedReader::start(const ReaderBounds& bounds, ReaderPreparation prepare)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return Error{std::strerror(errno), errno};
    // Block all signals: those of a terminal reach the child too, but no handler of the tracer may run there, and the
    // tracer ends the child itself. Signals of faults end it anyway.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t tracer = getpid(), pid = fork();
    const int failure = errno;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != tracer)
            _exit(0);
        serve(sockets[1], bounds.memory, prepare);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(sockets[1]);
    if (pid < 0) {
        ::close(sockets[0]);
        return Error{std::strerror(failure), failure};
    }
    return std::unique_ptr<ConfinedReader>(new ConfinedReader(pid, sockets[0], bounds));
}

ConfinedReader::~ConfinedReader()
{
    end();
}

void ConfinedReader::end()
{
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    for (int* const descriptor : {&socket_, &opening_})
        if (*descriptor >= 0)
            ::close(std::exchange(*descriptor, -1));
    pid_ = -1;
}

Result<std::string> ConfinedReader::ask(ReadFunction function, std::string_view request, const std::atomic<bool>* stop)
{
    if (pid_ < 0)
        return Error{"is gone", ESRCH};
    ++asked_;
    most_cpu_ns_ = cpu_ns(pid_) + bounds_.seconds * kNsOfSecond;
    said_ns_ = now_ns(CLOCK_MONOTONIC);
    deadline_ns_ = said_ns_ + kPatience * bounds_.seconds * kNsOfSecond;
    const Request head{function, request.size()};
    uint64_t size = 0;
    if (!send_all(socket_, &head, sizeof head) || !send_all(socket_, request.data(), request.size()))
        return Error{what_became(), EIO};
    if (const Result<void> got = receive(reinterpret_cast<char*>(&size), sizeof size, stop); !got)
        return got.error();
    if (size > bounds_.answer) {
        end();
        return Error{"tells more than " + std::to_string(bounds_.answer >> 20) + " MB", EFBIG};
    }
    std::string answer(size, '\0');
    if (const Result<void> got = receive(answer.data(), answer.size(), stop); !got)
        return got.error();
    return answer;
}

Result<void> ConfinedReader::receive(char* to, std::size_t size, const std::atomic<bool>* stop)
{
    while (size > 0) {
        if (const Result<void> ready = wait(stop); !ready)
            return ready;
        const ssize_t got = receive_some(to, size);
        if (got == 0)
            return Error{what_became(), EIO};
        to += std::max<ssize_t>(got, 0);
        size -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return {};
}

/// Receives bytes of the answer. Returns their number, 0 if the reader has ended, or -1 if none have arrived yet.
ssize_t ConfinedReader::receive_some(char* to, std::size_t size)
{
    const bool is_first = opening_ == kUnknown;
    OneByte said;
    const ssize_t got = is_first ? recvmsg(socket_, &said.message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)
                                 : ::recv(socket_, to, size, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    if (got == 0 || !is_first)
        return got;
    opening_ = kNone;
    const cmsghdr* const header = CMSG_FIRSTHDR(&said.message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof opening_))
        std::memcpy(&opening_, CMSG_DATA(header), sizeof opening_);
    return -1;
}

/// Blocks until data arrive. Meanwhile opens files for the reader.
Result<void> ConfinedReader::wait(const std::atomic<bool>* stop)
{
    while (true) {
        pollfd ready[] = {{socket_, POLLIN, 0}, {opening_, POLLIN, 0}};
        if (poll(ready, 2, kLookMs) > 0) {
            if (ready[1].revents & POLLIN)
                open_for_confined(opening_, pid_);
            if (ready[0].revents)
                return {};
        }
        say_waiting();
        const bool is_late = cpu_ns(pid_) > most_cpu_ns_ || now_ns(CLOCK_MONOTONIC) > deadline_ns_;
        if (!is_late && !(stop && *stop))
            continue;
        end();
        return is_late ? Error{"took more than " + std::to_string(bounds_.seconds) + " s", ETIME}
                       : Error{"was ended", ECANCELED};
    }
}

void ConfinedReader::say_waiting()
{
    if (!waiting_ || now_ns(CLOCK_MONOTONIC) - said_ns_ < kNsOfSecond)
        return;
    said_ns_ = now_ns(CLOCK_MONOTONIC);
    waiting_();
}

/// Ends the reader and returns how it ended, for an error message.
std::string ConfinedReader::what_became()
{
    constexpr int kLooks = 1000; // limit in milliseconds: the kernel closes sockets before a process has ended
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < kLooks && (ended = waitpid(pid_, &status, WNOHANG)) == 0; ++i)
        usleep(1000);
    if (ended == 0)
        return end(), "does not answer";
    pid_ = -1;
    end();
    if (ended > 0 && WIFSIGNALED(status))
        return std::string("crashed (") + strsignal(WTERMSIG(status)) + ")";
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)
        return "needed more than " + std::to_string(bounds_.memory >> 20) + " MB of memory";
    return "ended";
}

} // namespace dt
