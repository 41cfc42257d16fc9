// The event loop for any number of traces: waits until a trace has work, and ends traces when they are over or a signal
// arrives.
//
//     EventLoop loop;
//     loop.start(trace, [](Result<int> status) { … });   // after trace.attach()
//     loop.run();                                         // until all traces have ended
//
// Everything runs in the thread that calls run(), with one exception: at an ending signal another thread disables the
// probes of all traces at once, even while the loop is busy.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/loop/signals.hpp"
#include "libdtrace/trace/trace.hpp"

// The epoll instance of the event loop. A descriptor stays registered until it is removed, and is not passed to each
// wait, because a service with 24 scripts has more than fifty descriptors.

namespace dt {

class Poller {
public:
    Poller();
    ~Poller();
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

    /// Returns the errno of the failure to create the epoll instance, or 0.
    int error() const { return error_; }

    /// Makes wait() set `ready` when the descriptor is readable. A descriptor may have several flags. Ignores the value
    /// -1, and descriptors that cannot be polled, such as those of regular files.
    void add(int descriptor, bool& ready);
    /// Removes a flag of the descriptor. Must be called before the descriptor is closed, because its number may be
    /// reused.
    void remove(int descriptor, const bool& ready);

    /// For the flag `ready`, replaces the registered descriptors `before` by the descriptors `now`.
    void change(std::vector<int>& before, std::vector<int> now, bool& ready);

    /// Waits for the descriptors. Returns true if a flag was set, false after the timeout or a signal.
    bool wait(std::chrono::milliseconds most);

private:
    int epoll_ = -1, error_ = 0;
    std::multimap<int, bool*> flags_; ///< for each registered descriptor, the flags that wait() sets
};

// Notifications of CPUs that go offline (netlink uevents). A CPU can go offline and return between two reads of the
// list of online CPUs. The list then shows no change, but the CPU's perf events have ended.

class CpuEvents {
public:
    CpuEvents() = default;
    CpuEvents(const CpuEvents&) = delete;
    CpuEvents& operator=(const CpuEvents&) = delete;
    ~CpuEvents();

    /// Starts listening. Without permission, for example in a separate user namespace, no events arrive.
    void listen();
    /// Returns a descriptor that is readable when a call of gone() would return CPUs, or -1 if the kernel sends no
    /// notifications.
    int descriptor() const { return socket_; }
    /// Returns the CPUs that went offline since the last call; some of them may be online again.
    std::vector<int> gone();

private:
    int socket_ = -1;
};

/// Returns the number of the CPU that went offline, or -1 if the message reports something else.
int offline_cpu(std::string_view announcement);

class EventLoop {
public:
    using Clock = std::chrono::steady_clock;
    /// Callback with the exit status of a trace. Error messages are "processing aborted: …"; if `code` is EPIPE, the
    /// reader of the output has closed it.
    using Ended = std::function<void(Result<int> status)>;

    /// Uses `signals`, which must outlive the event loop. If null, the event loop itself catches signals as long as it
    /// exists.
    explicit EventLoop(Signals* signals = nullptr);
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Activates an attached trace and runs it until it is over. When the trace is over, run() calls `ended` once;
    /// until then the trace must exist. Errors are those of Trace::activate(); after an error, `ended` is not called.
    Result<void> start(Trace& trace, Ended ended);
    /// Ends a trace as exit() does, in the next iteration of the loop.
    void end(Trace& trace);
    /// Ends a trace immediately. May be called by callbacks of run(), except by `ended`.
    void end_now(Trace& trace);
    /// Calls `action` from run() at the time `due`, if traces are still running.
    void at(Clock::time_point due, std::function<void()> action);

    /// Calls `readable` from run() whenever the descriptor is readable. The caller still owns the descriptor.
    void watch(int descriptor, std::function<void()> readable);
    void unwatch(int descriptor);
    /// After a signal that requests an action (SignalRequests), run() calls `wished` when all traces have executed the
    /// action.
    void on_request(std::function<void(const SignalRequests&)> wished) { on_request_ = std::move(wished); }

    /// Runs the loop until all traces have ended.
    void run();
    /// Runs the loop, with or without traces, until a signal ends the traces. Calls `ending` when the signal arrives.
    void serve(const std::function<void()>& ending);

    /// When `signal` arrives, the tracer ends, but not its pinned traces (-x pin): all records are read, but no probe
    /// is disabled. Must be called before start().
    void leave_pinned_at(int signal) { leaving_ = signal; }

    /// Returns the signal that ended the traces, or 0 if no signal did.
    int signal() const { return signals_->first(); }

private:
    struct RunningTrace {
        Trace* trace = nullptr; ///< the running trace; null after it has ended
        Ended ended;
        bool is_ready = true, is_ending = false;
        // The times below are computed after each pass.
        /// time of the next pass; time of the next check for work that no descriptor reports
        Clock::time_point due{}, check{};
        std::chrono::milliseconds early{}; ///< maximum time by which the pass may run earlier than `due`
        std::chrono::milliseconds poll_interval{};
        std::vector<int> descriptors{}; ///< descriptors of the trace that wake the loop
    };

    void switch_off_all();
    void answer_watched();
    void turn();
    void turn(RunningTrace& running);
    void end(RunningTrace& running, const Result<void>& result);
    bool must_be_left(const Trace& trace) const;
    void leave(RunningTrace& running);
    void report_end(RunningTrace& running, Result<int> status);
    void check_cpus();
    void follow_cpus(const std::vector<int>& online);
    void act_when_due();
    void handle_requests();
    void watch_descriptors();
    void plan(RunningTrace& running);
    void wait();
    bool may_any_pass(Clock::time_point now) const;
    bool is_anything_ready() const;
    void poll_traces();
    Clock::time_point next_due() const;
    Clock::time_point next_check() const;

    std::unique_ptr<Signals> own_signals_;
    Signals* const signals_;
    Poller poller_;
    bool is_signalled_ = false, has_requests_ = false;
    std::mutex changing_; ///< protects `running_`, which the signal thread reads
    std::vector<std::unique_ptr<RunningTrace>> running_;
    std::multimap<Clock::time_point, std::function<void()>> timers_;
    struct Watched {
        std::function<void()> readable;
        bool is_ready = false;
    };
    std::map<int, Watched> watched_;
    /// `serves_`: the loop runs in serve(). `is_kept_`: serve() has not called `ending` yet, so the loop continues even
    /// if there are no traces.
    bool serves_ = false, is_kept_ = false;
    std::function<void(const SignalRequests&)> on_request_;
    int leaving_ = 0; ///< signal that was passed to leave_pinned_at(); 0 if none was
    CpuEvents cpu_events_;
    Clock::time_point checked_cpus_{};
    bool cpus_have_news_ = false;
};

} // namespace dt
