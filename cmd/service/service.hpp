// The service: any number of independent scripts in one process. A failure of one script only changes its own state.
//
//     Service service(arguments, options, signals);
//     service.start(directory);
//     service.run();           // returns after a signal, when END of all scripts has run
//
// The class also has the operations that clients request through the control socket: attach, detach and reload. They
// run between two passes of the event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cmd/common/arguments.hpp"
#include "cmd/service/compiler_process.hpp"
#include "cmd/service/control.hpp"
#include "cmd/service/script_instance.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/loop/signals.hpp"
#include "libdtrace/output/journal_socket.hpp"

namespace dt::service {

// Notifications to the service manager in the protocol of sd_notify(3): datagrams of NAME=VALUE lines to a socket named
// in the environment.
//
// Sending never waits: if the service manager is slow or gone, the notification is dropped.

class Notifier {
public:
    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID and removes them from the environment, so that child
    /// processes do not send notifications. Without NOTIFY_SOCKET all notifications are ignored.
    static Notifier from_environment();

    void ready(std::string_view status);
    void status(std::string_view status);
    /// Notifies the service manager that the service is reloading, until the next ready().
    void reloading();
    void stopping();
    /// Notifies the service manager that the service is alive. Before the first ready(), systemd has a start timeout
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

/// Adapts the systemd memory limit of the service (MemoryMax of systemd.resource-control(5)) to the limits of its
/// scripts.
///
///     MemoryMax max(unit, print_message);
///     max.lift();          // before scripts are started, whose limits are known only after compilation
///     max.set(bytes);      // after scripts have started or ended
///
/// The limit is set through systemd and not directly in the control group: at its next reload, systemd would overwrite
/// a value that it has not set itself.
class MemoryMax {
public:
    using Say = std::function<void(std::string_view)>;

    /// `unit` is the systemd unit; if empty, no limit is set. `print_message` is called once if systemd refuses a
    /// limit.
    MemoryMax(std::string unit, Say print_message) : unit_(std::move(unit)), say_(std::move(print_message)) {}

    void lift();
    /// Sets the limit to `scripts` bytes plus the needs of the service itself. Blocks for some ms.
    void set(uint64_t scripts);

private:
    void tell(const std::string& value);

    std::string unit_; ///< name of the systemd unit; empty: no limit is set any more
    Say say_;
    std::string applied_;
};

class Service {
public:
    /// All constructor arguments must outlive the service. `options` are the options with which every script starts.
    Service(const cmd::Arguments& arguments, const Options& options, Signals& signals);
    ~Service();

    /// Starts the scripts of a directory. Fails if tracing is impossible or the directory cannot be read. A missing
    /// directory is no error if `may_be_missing` is true: the service then starts without scripts.
    Result<void> start(const std::string& directory, bool may_be_missing);
    /// Runs until a signal ends the service.
    void run();

    EventLoop& loop() { return loop_; }
    const std::vector<std::unique_ptr<ScriptInstance>>& instances() const { return instances_; }
    /// Returns the script with that name, or null.
    ScriptInstance* find(const std::string& name);

    /// Starts a script. Removes an inactive script with the same name first. The error message can be printed
    /// unchanged; `code` is EEXIST if a script with that name is active.
    Result<void> attach(Script script);
    /// Ends a script: END runs, and the script stays listed as detached. Fails if it does not exist or is not active.
    Result<void> detach(const std::string& name);

    struct Change {
        std::string name;
        std::string what; ///< outcome: "started", "detached", "replaced" or "failed"
        std::string text; ///< description of the result for the user
        /// for a pinned script: ms between the end of the old trace and the start of the new one
        double without_ms = 0;
    };
    /// Compares the directory with the running scripts. Starts new and changed scripts and detaches removed ones;
    /// unchanged scripts keep running.
    Result<std::vector<Change>> reload();

private:
    /// An object of this class exists while scripts are being started or ended. Meanwhile the memory limit is lifted,
    /// and memory is not released. The destructor sets the limit again and releases memory.
    class TrimGuard {
    public:
        explicit TrimGuard(Service& service) : service_(service) { service.may_trim_ = false; }
        ~TrimGuard()
        {
            service_.may_trim_ = true;
            service_.trim_memory();
        }
        TrimGuard(const TrimGuard&) = delete;
        TrimGuard& operator=(const TrimGuard&) = delete;

    private:
        Service& service_;
    };

    using ScriptInstances = std::vector<std::unique_ptr<ScriptInstance>>;

    Change start_added(Script script);
    Change replace(ScriptInstances::iterator old, Script script);
    Change replace_stopped(ScriptInstances::iterator old, std::unique_ptr<ScriptInstance> next);
    Change remove(ScriptInstances::iterator old);
    Change restart(ScriptInstances::iterator at, const ScriptInstance& refused, TraceValues values);
    void sort_instances();
    void notify_manager();
    void return_memory();
    void return_all_code();
    void return_memory_again(std::size_t time);
    void sweep_pins();
    void renew_pins();
    bool claims_pin(const std::string& pin) const;
    std::string status() const;
    void trim_memory();

    const cmd::Arguments arguments_;
    const Options& options_;
    Session base_session_;
    EventLoop loop_;
    CompilerProcess compiler_; ///< the compiler process exists only while scripts are being started
    ServiceContext context_{arguments_,
                            options_,
                            base_session_,
                            loop_,
                            compiler_,
                            [this] { notifier_.alive(); },
                            [this] { memory_max_.lift(); },
                            [this] {
                                trim_memory();
                                notifier_.status(status());
                            }};
    Notifier notifier_;
    MemoryMax memory_max_;
    bool may_trim_ = false; ///< true while no script is being started or ended
    EventLoop::Clock::time_point trimmed_{}, returned_code_{};
    unsigned long mapped_since_ = 0;    ///< number of mapped bytes when code pages were last released
    int64_t worked_before_ = 0;         ///< CPU time of the process when code pages were last released, in ns
    bool returns_memory_again_ = false; ///< whether another release of memory is scheduled, after a change of scripts
    std::string directory_;
    ScriptInstances instances_;
};

// Requests to a service and their responses (dtrace-service(7), REQUESTS, METRICS): JSON, version 1 of the paths, and
// the metrics of all scripts.

/// Executes a request. Invalid or forbidden requests get an error response with the reason.
Reply answer(Service& service, const Request& request);

// Access control of the service's requests, in one place.
//
// The mode of the socket determines who can connect: root and the socket's group. These users can see the traces and
// their results; by default, the group has no members. Only root and the service's own user may change a trace, because
// that means running code in the kernel as root.

/// Returns an empty string if the request is allowed; else the reason, and which users may send it.
std::string why_refused(const Request& request);

/// Answers GET /metrics in the format that the client prefers. Rejects other requests.
Reply answer_metrics(Service& service, const Request& request);

} // namespace dt::service
