// Processes that stop when they have mapped a file that nobody has looked at, until somebody has: their first call of
// it is traced.
//
// They are traced by ptrace(2), because that is the only stop which neither they nor their parents see, and which the
// kernel itself ends should this process be killed. A thread stops when it has executed another program and, by the
// loader's hook (loader_hook.hpp), when it has loaded a library; the others of its process run on. All else that a
// tracer is told (signals, new threads and children, job control) is passed on at once. A thread has to be the tracer
// and to wait for nothing else; what others want of it they have it call.
#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/recent_set.hpp"
#include "libdtrace/process/loader_hook.hpp"

namespace dt {

class Keeper {
public:
    /// `proc`: where proc(5) is mounted. `by`: who reads the files of processes.
    Keeper(std::string proc, ReadBy by);
    /// Everybody who is kept runs on; children must have ended.
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    /// Runs something in the thread, which then is the parent of what it forks and the tracer of what it traces.
    void call(const std::function<void()>& what);

    /// In call(): the thread waits for the end of its child, which it has stopped. `is_seized`: it can be kept.
    void add_child(pid_t child, bool is_seized) { children_[child] = is_seized; }
    /// Returns when the child is no more; it must be about to end.
    void wait_for_end(pid_t child);
    /// How a child has ended, as wait(2) has it; nothing: it has not.
    std::optional<int> end_of(pid_t child) const;

    enum class Children { Leave, UntilExec, Keep };
    /// In call(): keeps processes from now on; what they fork as well, if so wanted. One that was stopped by this
    /// thread stays so. What cannot be kept is among the problems.
    void keep(const std::vector<pid_t>& processes, Children children);
    /// In call(): lets a child that was stopped begin, kept or detached.
    void begin(pid_t child);

    struct Held {
        pid_t thread = 0, process = 0;
        uint64_t number = 0; ///< each time another
    };
    /// Who stands still.
    std::vector<Held> held() const;
    bool is_anybody_held() const { return count_ != 0; }
    /// Their files are known now.
    void let_go(const std::vector<Held>& held);
    /// From now on nobody is held.
    void stop_holding();

    /// Readable when somebody is held: for poll.
    int descriptor() const { return event_; }

    /// What may be missed since the last call, and why.
    std::vector<std::string> take_problems();

private:
    using Clock = std::chrono::steady_clock;
    using File = std::tuple<pid_t, std::string, uint64_t>; ///< the process it comes from, device, inode
    struct Tracee {
        pid_t process = 0, origin = 0; ///< the origin: the process that was named
        uint64_t held = 0;             ///< the number of that; 0: it is not
        Clock::time_point until{};
        std::vector<File> files;  ///< new ones, when it is held
        bool is_replaced = false; ///< another thread has become the first one: no probe of it is left
    };

    long options() const;
    static void* run(void* self);
    void work();
    bool take_job();
    void kick();
    bool wait_for_event();

    void open_hook();
    bool is_left_alone(pid_t process);
    bool keep_threads(pid_t process);
    Tracee* adopt(pid_t thread);
    const Tracee* tracee_of(pid_t process) const;
    void forget(pid_t thread);
    void take_stop(pid_t thread, int status);
    void take_exec(pid_t thread);
    void take_signal(pid_t thread, int signal);
    void hold(pid_t thread);
    void go_on(pid_t thread, int signal);
    void release(pid_t thread);
    void release_overdue();
    std::vector<File> new_files(const Tracee& tracee) const;
    void tell(std::string problem);

    const std::string proc_;
    const ReadBy by_;
    std::optional<LoaderHook> hook_;
    std::atomic<const LoaderHook*> open_hook_ = nullptr; ///< for other threads
    std::map<pid_t, Tracee> tracees_;
    Children mode_ = Children::Leave;
    std::map<pid_t, bool> children_; ///< and whether they were seized
    RecentSet<File> seen_{1 << 16};  ///< of what is forgotten a process stops once more
    uint64_t holds_ = 0;
    bool holding_ = false;

    pthread_t handle_{};
    std::atomic<pid_t> thread_ = 0;
    timer_t timer_{};
    int event_ = -1;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* job_ = nullptr;
    bool is_taken_ = false, is_done_ = false, leaving_ = false;
    std::vector<Held> held_;
    std::atomic<std::size_t> count_ = 0; ///< of those
    std::vector<std::string> problems_;
    std::map<pid_t, int> ends_; ///< of children
    RecentSet<std::string> told_{1 << 10};
};

} // namespace dt
