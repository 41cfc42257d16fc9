// Signals that end a trace, and signals that request an action of a running trace (dtrace(8), SIGNALS).
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <functional>
#include <mutex>

struct signalfd_siginfo;

namespace dt {

/// Actions that were requested by signals. Such a signal does not end the trace.
struct SignalRequests {
    bool so_far = false; ///< requested by SIGUSR1: print the results so far
    /// Requested by SIGHUP, unless the terminal was closed: reopen the output file, which may have been renamed.
    bool reopening = false;
};

/// While an object exists, signals that would kill the process (INT, TERM, HUP, QUIT, USR1, USR2, ALRM and similar) end
/// the trace instead, and a closed pipe causes a write error. Signals that were already ignored stay ignored.
class Signals {
public:
    /// Behaviour after destruction. Restore: the previous signal mask is restored. EndProcess: if a signal came, the
    /// mask is not restored, so that a late signal cannot change the exit status.
    enum class Then { Restore, EndProcess };

    /// Catches signals from now on. A signal during the start does not interrupt the start, but the trace ends as soon
    /// as it has begun. Throws std::bad_alloc if the threads cannot be created. If descriptors cannot be created, no
    /// signal is caught and error() is set. `granted` contains the actions that signals may request. The signals of
    /// these actions are caught even if they were ignored before.
    explicit Signals(Then then, SignalRequests granted = {});
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Returns the errno of a failure to create descriptors, or 0. After such a failure, signals cannot end the trace.
    int error() const { return error_; }

    /// Marks the start of the trace. At the first signal another thread calls `at_first` once, even while the trace's
    /// thread is blocked. If a signal came before begin(), `at_first` is not called, so the caller must check
    /// interrupted() afterwards.
    void begin(std::function<void()> at_first);
    /// Waits until a running `at_first` has returned, and prevents later calls of it.
    void end();

    /// Sets the text about lost data that is printed if a second signal kills the process. `what` must be a literal.
    void note_loss_if_killed(const char* what) { loss_if_killed_ = what; }

    /// Returns a descriptor that stays readable after the first signal.
    int descriptor() const { return arrived_; }

    /// Returns whether a signal came. A second signal at least half a second later ends the process immediately with
    /// status 0 and a message about the lost data; the kernel releases the process's resources. A second signal within
    /// this time is treated as a duplicate: timeout(1) signals the process and its group, and the terminal and the
    /// shell may both send a signal for ^C.
    bool interrupted() const { return interrupted_; }
    /// Returns the number of the first signal, or 0 if there was none.
    int first() const { return first_; }

    /// Returns a descriptor that is readable when requests are pending.
    int request_descriptor() const { return request_pipe_; }
    /// Returns the requests since the last call of this function.
    SignalRequests take_requests();

private:
    void stop();
    static void* watch(void* self);
    static void* act(void* self);
    void wait_for_signals();
    void wait_to_act();
    bool is_granted(int signal) const;
    bool note_request(const signalfd_siginfo& info);
    [[noreturn]] void give_up(const char* why) const;

    const Then then_;
    const SignalRequests granted_;
    std::mutex requests_mutex_;
    SignalRequests requests_;
    std::atomic<bool> has_requests_ = false;
    sigset_t ignored_; ///< signals that were ignored before this object caught them
    std::mutex acting_;
    std::function<void()> at_first_;
    int signals_ = -1, arrived_ = -1, leave_ = -1, request_pipe_ = -1, error_ = 0;
    std::atomic<bool> interrupted_ = false, begun_ = false;
    std::atomic<int> first_ = 0;
    std::atomic<const char*> loss_if_killed_ = "nothing was traced yet";
    sigset_t caught_;
    sigset_t previous_mask_;
    struct sigaction previous_pipe_;
    pthread_t watcher_, actor_;
};

} // namespace dt
