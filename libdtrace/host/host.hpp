// One loop for any number of traces: it waits until one of them has something to do, and ends them when they are over
// or a signal comes.
//
//     Host host;
//     host.start(trace, [](Result<int> status) { … });   // after trace.attach()
//     host.run();                                         // until all have ended
//
// All of it happens in the thread that calls run(), but for one thing: at a signal that ends them another thread
// switches the probes of all traces off at once, whatever the loop is doing.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/host/cpu_events.hpp"
#include "libdtrace/host/signals.hpp"
#include "libdtrace/host/waiting.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt {

class Host {
public:
    using Clock = std::chrono::steady_clock;
    /// The exit status of the trace. Errors: "processing aborted: …"; EPIPE in `code` means that the reader of the
    /// output has gone.
    using Ended = std::function<void(Result<int> status)>;

    /// `signals`: those that are noted already, which outlive the host; null: the host catches signals itself as long
    /// as it lives.
    explicit Host(Signals* signals = nullptr);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    /// After attach(): the trace becomes active and runs until it is over. `ended` is called from run(), once; the
    /// trace must live until then. The error is as that of Trace::activate(), and then `ended` is not called.
    Result<void> start(Trace& trace, Ended ended);
    /// Ends a trace at the next turn of the loop, as exit() does.
    void end(Trace& trace);
    /// The same at once: from what run() calls, but not from `ended`.
    void end_now(Trace& trace);
    /// Calls `action` from run() when it is due, if traces still run then.
    void at(Clock::time_point due, std::function<void()> action);

    /// Calls `readable` from run() as long as something can be read from a descriptor, which stays the caller's.
    void watch(int descriptor, std::function<void()> readable);
    void unwatch(int descriptor);
    /// Calls `wished` from run() when a signal asks for something (Signals' `granted`), behind what the traces do.
    void when_wished(std::function<void(const Wishes&)> wished) { wished_ = std::move(wished); }

    /// Until all traces have ended.
    void run();
    /// Whether there are traces or not, until a signal comes that ends them and they have ended. `ending` is called
    /// when the signal has come.
    void serve(const std::function<void()>& ending);

    /// Before start(): this signal does not end traces that outlive their tracer (-x pin). They are left: read to the
    /// end, and nothing of them is switched off.
    void leave_pinned_at(int signal) { leaving_ = signal; }

    /// The signal that ended the traces; 0: something else did.
    int signal() const { return signals_->first(); }

private:
    struct Running {
        Trace* trace = nullptr; ///< null: it has ended
        Ended ended;
        bool is_ready = true, is_ending = false;
        // As of the last pass:
        Clock::time_point due{}, look{};   ///< of the next one, and of the next look
        std::chrono::milliseconds early{}; ///< so much earlier it may come
        std::chrono::milliseconds look_every{};
        std::vector<int> descriptors{}; ///< that are waited for
    };

    void switch_off_all();
    void answer_watched();
    void turn();
    void turn(Running& running);
    void end(Running& running, const Result<void>& result);
    bool is_to_be_left(const Trace& trace) const;
    void leave(Running& running);
    void tell_ended(Running& running, Result<int> status);
    void look_at_cpus();
    void follow_cpus(const std::vector<int>& online);
    void act_when_due();
    void answer_wishes();
    void wait_from_now_on();
    void plan(Running& running);
    void wait();
    bool may_any_pass(Clock::time_point now) const;
    bool is_anything_ready() const;
    void look_for_news();
    Clock::time_point next_due() const;
    Clock::time_point next_look() const;

    std::unique_ptr<Signals> own_signals_;
    Signals* const signals_;
    Waiting waiting_;
    bool is_signalled_ = false, has_wishes_ = false;
    std::mutex changing_; ///< of the list, which the thread of signals reads
    std::vector<std::unique_ptr<Running>> running_;
    std::multimap<Clock::time_point, std::function<void()>> timers_;
    struct Watched {
        std::function<void()> readable;
        bool is_ready = false;
    };
    std::map<int, Watched> watched_;
    bool serves_ = false, is_kept_ = false; ///< kept: who serves was not told yet of the signal that ends all
    std::function<void(const Wishes&)> wished_;
    int leaving_ = 0; ///< leave_pinned_at()
    CpuEvents cpu_events_;
    Clock::time_point looked_at_cpus_{};
    bool cpus_have_news_ = false;
};

} // namespace dt
