// What a service tells the manager that started it, by the protocol of sd_notify(3): datagrams of NAME=VALUE lines to
// the socket that the environment names.
//
// A manager that is slow or gone holds nobody: nothing here waits, and what is not taken is not told.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "libdtrace/output/entry_socket.hpp"

namespace dt::service {

class Notifier {
public:
    /// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, which are taken out of the environment: what the service
    /// starts is no service. Without the first nobody is told anything.
    static Notifier from_environment();

    void ready(std::string_view status);
    void status(std::string_view status);
    /// Until the next ready().
    void reloading();
    void stopping();
    /// Goes on. Before the first ready() the manager waits for that and does not look for signs of life yet: then this
    /// asks for more time.
    void alive();

    /// How often alive() is to be called: twice in the time after which the manager takes the service for dead; none:
    /// it does not look.
    std::optional<std::chrono::microseconds> period() const { return period_; }

private:
    void send(const std::string& lines);

    std::optional<output::EntrySocket> socket_;
    std::optional<std::chrono::microseconds> period_;
    bool was_ready_ = false;
};

} // namespace dt::service
