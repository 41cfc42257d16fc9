// Interrupts, also of a run that waits.
//
// The run writes to pipes whose reader may have stopped, and waits for commands of system(). So its thread blocks the signals, and another
// one does nothing but wait for them: it switches the probes off at the first signal, whatever the run is doing, and lets the second one end
// the process.
#include "libdtrace/session/signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <new>

namespace dt {
namespace {

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void quit_at_once(int)
{
    _exit(0);
}

void go_on(int) {}

/// The stack of a thread is otherwise as large as that of the process may become, which a limit of its memory may not allow.
constexpr std::size_t kStackSize = 256 * 1024;

bool start(pthread_t& thread, void* (*function)(void*), void* argument)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackSize);
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

Signals::Signals(std::function<void()> at_first) : at_first_(std::move(at_first))
{
    sigemptyset(&caught_);
    for (const int signal : kEnding) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler != SIG_IGN)
            sigaddset(&caught_, signal);
    }
    signals_ = signalfd(-1, &caught_, SFD_CLOEXEC | SFD_NONBLOCK);
    came_ = eventfd(0, EFD_CLOEXEC);
    leave_ = eventfd(0, EFD_CLOEXEC);
    pthread_sigmask(SIG_BLOCK, &caught_, &previous_mask_);
    // A handler, not SIG_IGN: it turns SIGPIPE into EPIPE just as well, and children of system() do not inherit it.
    struct sigaction pipe {};
    pipe.sa_handler = go_on;
    pipe.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &pipe, &previous_pipe_);
    if (!start(watcher_, watch, this))
        throw std::bad_alloc();
}

Signals::~Signals()
{
    set(leave_);
    pthread_join(watcher_, nullptr);
    if (interrupted_)
        for (const int number : kEnding)
            if (sigismember(&caught_, number) == 1)
                signal(number, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
    sigaction(SIGPIPE, &previous_pipe_, nullptr);
    for (const int descriptor : {signals_, came_, leave_})
        close(descriptor);
}

void* Signals::watch(void* self)
{
    static_cast<Signals*>(self)->wait_for_first();
    return nullptr;
}

void Signals::wait_for_first()
{
    pollfd polled[] = {{signals_, POLLIN, 0}, {leave_, POLLIN, 0}};
    signalfd_siginfo info;
    do {
        if (poll(polled, 2, -1) > 0 && polled[1].revents != 0)
            return;
    } while (read(signals_, &info, sizeof info) != static_cast<ssize_t>(sizeof info));
    first_ = static_cast<int>(info.ssi_signo);
    interrupted_ = true;
    for (const int number : kEnding)
        if (sigismember(&caught_, number) == 1)
            signal(number, quit_at_once);
    pthread_sigmask(SIG_UNBLOCK, &caught_, nullptr);
    set(came_);
    at_first_();
    while (poll(&polled[1], 1, -1) <= 0)
        continue;
}

} // namespace dt
