// Handles signals even while a trace is blocked.
//
// A trace can be blocked when it writes to a pipe whose reader has stopped, or when it waits for a command of system().
// So all threads block the signals, and two threads only wait for them. One thread reads the signals and, at the second
// signal, ends the process, whatever the other threads do. The other thread disables the probes at the first signal.
#include "libdtrace/loop/signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace dt {
namespace {

/// Signals by which users, service managers and kernel limits end a process. Not included are faults (SEGV), job
/// control, and signals such as CHLD.
constexpr int kEnding[] = {SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2,
                           SIGALRM, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGXCPU};

/// A second signal that follows the first one within this time is treated as its duplicate.
constexpr auto kSame = std::chrono::milliseconds(500);

/// If a trace has not started this number of ms after a signal, the process ends.
constexpr int kLateStartMs = 5000;

/// Returns a pointer to the member of SignalRequests that the signal sets, or null if the signal never requests an
/// action but always ends the trace.
bool SignalRequests::*request_of(int signal)
{
    return signal == SIGUSR1 ? &SignalRequests::so_far : signal == SIGHUP ? &SignalRequests::reopening : nullptr;
}

/// Returns whether the kernel sent SIGHUP because the terminal was closed; the foreground process must then end. Users
/// and shells send SIGHUP differently.
bool is_hangup(const signalfd_siginfo& info)
{
    return info.ssi_signo == SIGHUP && info.ssi_code == SI_KERNEL;
}

void go_on(int) {}

/// Stack size of the threads. The default size, the process's stack limit, may exceed a memory limit.
constexpr std::size_t kSignalStackSize = 256 * 1024;

bool start(pthread_t& thread, void* (*function)(void*), void* argument)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kSignalStackSize);
    const int error = pthread_create(&thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

void set(int event)
{
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event, &one, sizeof one);
}

} // namespace

Signals::Signals(Then then, SignalRequests granted) : then_(then), granted_(granted)
{
    sigemptyset(&caught_);
    sigemptyset(&ignored_);
    const auto add = [this](int signal) {
        struct sigaction now {};
        const bool is_ignored = sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN;
        // an ignored signal is not added: it would be blocked, and signalfd would then deliver it
        if (!is_ignored || is_granted(signal))
            sigaddset(&caught_, signal);
        if (is_ignored)
            sigaddset(&ignored_, signal);
    };
    for (const int signal : kEnding)
        add(signal);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
        add(signal);
    signals_ = signalfd(-1, &caught_, SFD_CLOEXEC | SFD_NONBLOCK);
    arrived_ = eventfd(0, EFD_CLOEXEC);
    leave_ = eventfd(0, EFD_CLOEXEC);
    request_pipe_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (signals_ < 0 || arrived_ < 0 || leave_ < 0 || request_pipe_ < 0) {
        error_ = errno;
        return;
    }
    pthread_sigmask(SIG_BLOCK, &caught_, &previous_mask_);
    // Like SIG_IGN, the handler makes write() fail with EPIPE instead of ending the process, but unlike SIG_IGN, the
    // handler is not inherited by the children of system().
    struct sigaction pipe {};
    pipe.sa_handler = go_on;
    pipe.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &pipe, &previous_pipe_);
    if (!start(watcher_, watch, this) || !start(actor_, act, this))
        throw std::bad_alloc();
}

Signals::~Signals()
{
    if (error_ == 0)
        stop();
    for (const int descriptor : {signals_, arrived_, leave_, request_pipe_})
        close(descriptor);
}

void Signals::stop()
{
    set(leave_);
    pthread_join(watcher_, nullptr);
    pthread_join(actor_, nullptr);
    if (!interrupted_ || then_ == Then::Restore)
        pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
    sigaction(SIGPIPE, &previous_pipe_, nullptr);
}

void Signals::begin(std::function<void()> at_first)
{
    const std::lock_guard lock(acting_);
    at_first_ = std::move(at_first);
    begun_ = true;
}

void Signals::end()
{
    const std::lock_guard lock(acting_);
    at_first_ = nullptr;
}

bool Signals::is_granted(int signal) const
{
    bool SignalRequests::*const wish = request_of(signal);
    return wish && granted_.*wish;
}

/// Records the action that the signal requests. Returns false if the signal ends the trace.
bool Signals::note_request(const signalfd_siginfo& info)
{
    const auto signal = static_cast<int>(info.ssi_signo);
    if (!is_granted(signal))
        return false;
    if (is_hangup(info))
        return sigismember(&ignored_, signal) == 1;
    const std::lock_guard lock(requests_mutex_);
    requests_.*request_of(signal) = true;
    has_requests_ = true;
    set(request_pipe_);
    return true;
}

SignalRequests Signals::take_requests()
{
    const std::lock_guard lock(requests_mutex_);
    uint64_t count = 0;
    if (request_pipe_ >= 0 && read(request_pipe_, &count, sizeof count) != static_cast<ssize_t>(sizeof count))
        return {};
    return std::exchange(requests_, {});
}

void* Signals::watch(void* self)
{
    static_cast<Signals*>(self)->wait_for_signals();
    return nullptr;
}

void* Signals::act(void* self)
{
    static_cast<Signals*>(self)->wait_to_act();
    return nullptr;
}

void Signals::wait_to_act()
{
    pollfd polled[] = {{arrived_, POLLIN, 0}, {leave_, POLLIN, 0}};
    while (poll(polled, 2, -1) <= 0)
        continue;
    const std::lock_guard lock(acting_);
    if (polled[0].revents != 0 && at_first_)
        at_first_();
}

void Signals::wait_for_signals()
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point first;
    pollfd polled[] = {{signals_, POLLIN, 0}, {leave_, POLLIN, 0}};
    for (;;) {
        const int ready = poll(polled, 2, interrupted_ && !begun_ ? kLateStartMs : -1);
        if (ready == 0 && !begun_)
            give_up("interrupted before tracing had started");
        if (ready > 0 && polled[1].revents != 0)
            return;
        signalfd_siginfo info;
        if (ready <= 0 || read(signals_, &info, sizeof info) != static_cast<ssize_t>(sizeof info))
            continue;
        if (note_request(info))
            continue;
        if (!interrupted_) {
            first = Clock::now();
            first_ = static_cast<int>(info.ssi_signo);
            interrupted_ = true;
            set(arrived_);
        } else if (Clock::now() - first >= kSame) {
            give_up("stopped at once by a second signal");
        }
    }
}

void Signals::give_up(const char* why) const
{
    const std::string line =
        std::string(program_invocation_short_name) + ": " + why + ": " + loss_if_killed_.load() + "\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    _exit(0);
}

} // namespace dt
