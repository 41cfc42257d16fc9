#include "cmd/shell/interrupts.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

namespace dt::shell {

Interrupts::Interrupts()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &previous_);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts()
{
    close(signals_);
    sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

void Interrupts::read()
{
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        (info.ssi_signo == SIGINT ? interrupted_ : ends_) = true;
}

bool Interrupts::wait_for(int input)
{
    pollfd polled[] = {{input, POLLIN, 0}, {signals_, POLLIN, 0}};
    if (poll(polled, 2, -1) < 0)
        return false; // an unrelated signal, such as a change of the terminal's size
    if (polled[1].revents != 0)
        read();
    return polled[0].revents != 0 && !interrupted_ && !ends_;
}

bool Interrupts::take()
{
    read();
    return std::exchange(interrupted_, false);
}

} // namespace dt::shell
