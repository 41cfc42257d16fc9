// dtrace -a: claims an anonymous trace. Prints its kept output, and its further output as it arrives.
//
// With -e, or at an interrupt, the trace ends: END runs and aggregations are printed. In any case the trace ends with
// this process.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "cmd/anonymous/frames.hpp"
#include "cmd/anonymous/places.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::anonymous {
namespace {

void ask_keeper(int keeper, Asked what)
{
    const char asked = static_cast<char>(what);
    send(keeper, &asked, 1, MSG_NOSIGNAL);
}

/// Returns a descriptor for the ending signals and blocks them, so that they do not end the process. Ignored signals
/// stay ignored.
int ending_signals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

/// Prints to standard output or the file of -o, and messages to standard error.
class Printer {
public:
    explicit Printer(Output& output) : output_(output) {}

    Result<void> print(Kept kind, const std::string& text)
    {
        if (kind == Kept::Output)
            output_.write(text);
        else [[maybe_unused]]
            const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
        return output_.flush();
    }

private:
    Output& output_;
};

/// Prints the complete frames received so far. Returns the exit status if it has arrived.
std::optional<int> print_frames(std::string& come, Printer& printer, Result<void>& printed)
{
    FrameHeader header;
    while (come.size() >= sizeof header) {
        std::memcpy(&header, come.data(), sizeof header);
        if (header.kind == Kept::Status)
            return static_cast<int>(header.size);
        if (come.size() < sizeof header + header.size)
            break;
        printed = printer.print(header.kind, come.substr(sizeof header, header.size));
        come.erase(0, sizeof header + header.size);
        if (!printed)
            break;
    }
    return std::nullopt;
}

/// Prints everything until the trace ends. Returns its exit status, or an error if it ended without one.
Result<int> print_all_that_comes(int keeper, Output& output)
{
    const int interrupted = ending_signals();
    Printer printer(output);
    Result<void> printed;
    std::string come;
    while (printed) {
        std::array<pollfd, 2> waits{{{keeper, POLLIN, 0}, {interrupted, POLLIN, 0}}};
        poll(waits.data(), waits.size(), -1);
        if (waits[1].revents != 0) {
            signalfd_siginfo which;
            [[maybe_unused]] const ssize_t size = read(interrupted, &which, sizeof which);
            ask_keeper(keeper, Asked::End);
        }
        if (waits[0].revents == 0)
            continue;
        char room[1 << 16];
        const ssize_t size = read(keeper, room, sizeof room);
        if (size <= 0)
            return Error{"the anonymous trace was killed: the rest of what it kept is lost", 0};
        come.append(room, static_cast<std::size_t>(size));
        if (const std::optional<int> status = print_frames(come, printer, printed); status)
            return *status;
    }
    return printed.error();
}

} // namespace
} // namespace dt::anonymous

namespace dt::cmd {

int claim_mode(const Arguments& arguments, Output& output)
{
    const Result<int> keeper = anonymous::connect_to_keeper(anonymous::places().socket());
    if (!keeper) {
        const bool is_there = keeper.error().code != ENOENT && keeper.error().code != ECONNREFUSED;
        say(arguments,
            "could not enable tracing: " + (is_there ? "cannot claim the anonymous state: " + keeper.error().message
                                                     : std::string("No anonymous tracing state")));
        return kFailure;
    }
    anonymous::ask_keeper(keeper.value(), anonymous::Asked::Claim);
    if (arguments.compile_only)
        anonymous::ask_keeper(keeper.value(), anonymous::Asked::End);
    const Result<int> status = anonymous::print_all_that_comes(keeper.value(), output);
    close(keeper.value());
    if (status)
        return status.value();
    say(arguments, status.error().message);
    return kFailure;
}

} // namespace dt::cmd
