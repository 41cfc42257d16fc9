// Notifications to the service manager in the protocol of sd_notify(3): datagrams of NAME=VALUE lines to a socket named
// in the environment.
//
// Sending never waits: if the service manager is slow or gone, the notification is dropped.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "libdtrace/output/journal_socket.hpp"

namespace dt::service {

class Notifier {
public:
    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID and removes them from the environment, so that child
    /// processes do not send notifications. Without NOTIFY_SOCKET all notifications are ignored.
    static Notifier from_environment();

    void ready(std::string_view status);
    void status(std::string_view status);
    /// Tells the service manager that the service is reloading, until the next ready().
    void reloading();
    void stopping();
    /// Tells the service manager that the service is alive. Before the first ready(), systemd has a start timeout
    /// instead of the watchdog, so this function extends that timeout.
    void alive();

    /// Returns the interval for alive(), half the watchdog timeout, or nothing if no watchdog runs.
    std::optional<std::chrono::microseconds> period() const { return period_; }

private:
    void send(const std::string& lines);

    std::optional<output::JournalSocket> socket_;
    std::optional<std::chrono::microseconds> period_;
    bool was_ready_ = false;
};

} // namespace dt::service
