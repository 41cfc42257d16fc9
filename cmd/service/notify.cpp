#include "cmd/service/service.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/time.hpp"

namespace dt::service {
namespace {

std::string take_variable(const char* name)
{
    const char* const value = std::getenv(name);
    std::string taken = value ? value : "";
    unsetenv(name);
    return taken;
}

uint64_t number(const std::string& text)
{
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Replaces newlines in a value, because the protocol has one NAME=VALUE pair per line.
std::string on_one_line(std::string_view text)
{
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

} // namespace

Notifier Notifier::from_environment()
{
    Notifier made;
    const std::string path = take_variable("NOTIFY_SOCKET");
    const uint64_t watchdog = number(take_variable("WATCHDOG_USEC"));
    const uint64_t watched = number(take_variable("WATCHDOG_PID"));
    if (path.empty())
        return made;
    if (Result<output::JournalSocket> joined = output::JournalSocket::connect(path))
        made.socket_.emplace(std::move(joined.value()));
    if (watchdog != 0 && (watched == 0 || watched == static_cast<uint64_t>(getpid())))
        made.period_ = std::chrono::microseconds(std::max<uint64_t>(watchdog / 2, 1));
    return made;
}

void Notifier::send(const std::string& lines)
{
    if (socket_)
        socket_->send(lines);
}

void Notifier::ready(std::string_view status)
{
    was_ready_ = true;
    send("READY=1\nSTATUS=" + on_one_line(status));
}

void Notifier::status(std::string_view status)
{
    send("STATUS=" + on_one_line(status));
}

void Notifier::reloading()
{
    constexpr int64_t kNsInUs = 1000;
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now_ns(CLOCK_MONOTONIC) / kNsInUs));
}

void Notifier::stopping()
{
    send("STOPPING=1");
}

void Notifier::alive()
{
    // Sends no WATCHDOG=1 before the first ready(), because that would start the watchdog too early: the first script
    // may take long to start on a slow machine.
    if (was_ready_)
        send("WATCHDOG=1");
    else if (period_)
        send("EXTEND_TIMEOUT_USEC=" + std::to_string(2 * period_->count()));
}

} // namespace dt::service
