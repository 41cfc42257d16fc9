// The signals that end a trace, and those that ask something of one that goes on (dtrace(8), SIGNALS).
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <functional>
#include <mutex>

struct signalfd_siginfo;

namespace dt {

/// What a signal may ask of a trace instead of ending it.
struct Wishes {
    bool so_far = false;    ///< SIGUSR1: what the trace has until now
    bool reopening = false; ///< SIGHUP that no terminal sends: of the output file, which may have been renamed
};

/// While it lives, signals that would kill the process (INT, TERM, HUP, QUIT, USR1, USR2, ALRM and their like) end the
/// trace instead, and a closed pipe is a write error. Signals that were ignored before stay ignored.
class Signals {
public:
    /// What follows when it is destroyed: the previous state comes back; or, if a signal came, the process is about to
    /// end, and one that comes late may not change its status.
    enum class Then { Restore, EndProcess };

    /// Signals are noted from now on: start-up goes on, and the trace ends as soon as it has begun. Throws
    /// std::bad_alloc when there is no memory for the threads. Without descriptors nothing is noted, see error().
    /// `granted`: the wishes whose signals end nothing; these are taken also if they were ignored before.
    explicit Signals(Then then, Wishes granted = {});
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// 0, or the errno that left it without the descriptors that it needs: no signal would ever end the trace.
    int error() const { return error_; }

    /// The trace begins: `at_first` is called once, when the first signal comes, from another thread, whatever the
    /// thread of the trace waits for. Not called for a signal that came before: ask interrupted() afterwards.
    void begin(std::function<void()> at_first);
    /// `at_first` is not called any more, and not running, when this returns.
    void end();

    /// What is said of a second signal from now on: a literal.
    void at_stake(const char* what) { at_stake_ = what; }

    /// Readable for ever when a first signal has come.
    int descriptor() const { return came_; }

    /// True once a first signal came. From then on one that comes half a second or more after the first ends the
    /// process at once, with status 0, and says what is lost; the kernel releases everything that a process held. One
    /// that comes sooner is the same once more: timeout(1) sends its signal to the process and then to its group, a
    /// terminal's ^C may come with a shell's.
    bool interrupted() const { return interrupted_; }
    /// The number of the first signal; 0: none came.
    int first() const { return first_; }

    /// Readable when there are wishes.
    int wish_descriptor() const { return wished_; }
    /// What was asked for since the last call.
    Wishes take_wishes();

private:
    void stop();
    static void* watch(void* self);
    static void* act(void* self);
    void wait_for_signals();
    void wait_to_act();
    bool is_granted(int signal) const;
    bool note_wish(const signalfd_siginfo& info);
    [[noreturn]] void give_up(const char* why) const;

    const Then then_;
    const Wishes granted_;
    std::mutex wishing_;
    Wishes wishes_;
    std::atomic<bool> has_wishes_ = false;
    sigset_t ignored_; ///< before, and taken all the same
    std::mutex acting_;
    std::function<void()> at_first_;
    int signals_ = -1, came_ = -1, leave_ = -1, wished_ = -1, error_ = 0;
    std::atomic<bool> interrupted_ = false, begun_ = false;
    std::atomic<int> first_ = 0;
    std::atomic<const char*> at_stake_ = "nothing was traced yet";
    sigset_t caught_;
    sigset_t previous_mask_;
    struct sigaction previous_pipe_;
    pthread_t watcher_, actor_;
};

} // namespace dt
