// Interrupts as a descriptor.
//
// Blocking the signals and reading them from a signalfd lets the run loop sleep in one poll for signals, processes and data, without state
// that a handler would have to share.
#include "libdtrace/signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

namespace dt {
namespace {

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void quit_at_once(int)
{
    _exit(0);
}

void go_on(int) {}

} // namespace

Signals::Signals()
{
    sigemptyset(&caught_);
    for (const int signal : kEnding) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler != SIG_IGN)
            sigaddset(&caught_, signal);
    }
    sigprocmask(SIG_BLOCK, &caught_, &previous_mask_);
    descriptor_ = signalfd(-1, &caught_, SFD_CLOEXEC | SFD_NONBLOCK);
    // A handler, not SIG_IGN: it turns SIGPIPE into EPIPE just as well, and children of system() do not inherit it.
    struct sigaction pipe {};
    pipe.sa_handler = go_on;
    pipe.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &pipe, &previous_pipe_);
}

Signals::~Signals()
{
    if (interrupted_)
        for (const int number : kEnding)
            if (sigismember(&caught_, number) == 1)
                signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &previous_mask_, nullptr);
    sigaction(SIGPIPE, &previous_pipe_, nullptr);
    if (descriptor_ >= 0)
        close(descriptor_);
}

bool Signals::interrupted()
{
    signalfd_siginfo info;
    if (interrupted_ || read(descriptor_, &info, sizeof info) != static_cast<ssize_t>(sizeof info))
        return interrupted_;
    interrupted_ = true;
    for (const int number : kEnding)
        if (sigismember(&caught_, number) == 1)
            signal(number, quit_at_once);
    sigprocmask(SIG_UNBLOCK, &caught_, nullptr);
    return true;
}

} // namespace dt
