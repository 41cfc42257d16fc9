// Stops processes after they have mapped a new file, until the probes in that file are attached. So even the first call
// into the file is traced.
//
// The processes are traced by ptrace(2): its stops are invisible to the processes and their parents, and the kernel
// ends the stops if the tracer is killed. A traced thread stops after exec and after it has loaded a library, which the
// hook in the loader detects (loader_hook.hpp); the other threads of its process run on. After all other ptrace events
// (signals, new threads and children, job control), the traced thread runs on immediately. Only one thread can be the
// ptrace tracer of a process: the gate's thread. The gate's thread must not wait for anything except ptrace events, so
// other threads use call() to run functions in it.
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

class MappingGate {
public:
    /// `proc` is the mount point of proc(5). `by` says which process reads the files of traced processes.
    MappingGate(std::string proc, ReadBy by);
    /// Detaches from all traced processes, so that they run on. Child processes must have ended.
    ~MappingGate();
    MappingGate(const MappingGate&) = delete;
    MappingGate& operator=(const MappingGate&) = delete;

    /// Runs `what` in the gate's thread. The gate's thread becomes the parent of processes that `what` forks, and the
    /// tracer of processes that `what` traces.
    void call(const std::function<void()>& what);

    /// Must run within call(). Registers a stopped child, so that the gate's thread waits for the child's end.
    /// `is_seized`: the child was seized by ptrace and may stay traced.
    void add_child(pid_t child, bool is_seized) { children_[child] = is_seized; }
    /// Blocks until the child has ended. Must be called only for children that end soon.
    void wait_for_end(pid_t child);
    /// Returns the child's wait(2) status; nothing if it has not ended.
    std::optional<int> end_of(pid_t child) const;

    enum class Children { Leave, UntilExec, Seize };
    /// Must run within call(). Traces the processes from now on; `children` says which of their future children are
    /// traced too. If the gate's thread has already stopped a process, that process stays stopped. take_problems()
    /// reports failures.
    void seize(const std::vector<pid_t>& processes, Children children);
    /// Must run within call(). Lets a stopped child run on. A seized child stays traced; any other child is detached.
    void begin(pid_t child);

    struct StoppedThread {
        pid_t thread = 0, process = 0;
        uint64_t number = 0; ///< id of the stop of a thread; each stop has another id
    };
    /// Returns the threads that are stopped because their process has mapped files.
    std::vector<StoppedThread> held() const;
    bool has_stopped_threads() const { return count_ != 0; }
    /// Lets the stopped threads run on. Must be called when the probes in the files that these threads have mapped are
    /// attached.
    void resume(const std::vector<StoppedThread>& held);
    /// Stops holding threads: from now on, processes run on after they have mapped files.
    void stop_gating();

    /// Returns a descriptor for poll(2) that is readable if a thread is held.
    int descriptor() const { return event_; }

    /// Returns messages about calls of traced functions that may be missed. Each message is returned only once.
    std::vector<std::string> take_problems();

private:
    using Clock = std::chrono::steady_clock;
    /// Key of a mapped file: process that mapped the file, and device and inode number of the file.
    using File = std::tuple<pid_t, std::string, uint64_t>;
    struct Tracee {
        /// `origin` is the process that was passed to seize(); `process` is that process or a descendant of it.
        pid_t process = 0, origin = 0;
        uint64_t held = 0; ///< id of the stop in which the thread is held; 0 if the thread is running
        Clock::time_point until{};
        std::vector<File> files; ///< files that the held thread has mapped and whose probes are not attached yet
        /// Whether another thread of the process has called exec and so taken this thread's id. The probes in the
        /// previous program then no longer exist.
        bool is_replaced = false;
    };

    long options() const;
    static void* run(void* self);
    void work();
    bool take_job();
    bool wait_for_event();

    void open_hook();
    bool is_left_alone(pid_t process);
    bool seize_threads(pid_t process);
    Tracee* adopt(pid_t thread);
    const Tracee* tracee_of(pid_t process) const;
    void forget(pid_t thread);
    void take_stop(pid_t thread, int status);
    void take_exec(pid_t thread);
    void take_signal(pid_t thread, int signal);
    void hold(pid_t thread);
    void resume_thread(pid_t thread, int signal);
    void release(pid_t thread);
    void release_overdue();
    std::vector<File> new_files(const Tracee& tracee) const;
    void tell(std::string problem);

    const std::string proc_;
    const ReadBy by_;
    std::optional<LoaderHook> hook_;
    /// the hook in the loader, for use by other threads; null until the hook is open
    std::atomic<const LoaderHook*> open_hook_ = nullptr;
    std::map<pid_t, Tracee> tracees_;
    Children mode_ = Children::Leave;
    std::map<pid_t, bool> children_; ///< children of the gate's thread, and for each child whether it was seized
    /// Files for which a process was already stopped. The set has a maximum size, above which it forgets the oldest
    /// files; a process that maps a forgotten file is stopped again.
    RecentSet<File> seen_{1 << 16};
    uint64_t holds_ = 0;
    bool gating_ = false;

    pthread_t handle_{};
    std::atomic<pid_t> thread_ = 0;
    timer_t timer_{};
    int event_ = -1;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* job_ = nullptr;
    bool is_taken_ = false, is_done_ = false, leaving_ = false;
    std::vector<StoppedThread> held_;
    std::atomic<std::size_t> count_ = 0; ///< number of held threads (size of held_), readable by other threads
    std::vector<std::string> problems_;
    std::map<pid_t, int> ends_; ///< wait(2) statuses of ended children
    RecentSet<std::string> reported_{1 << 10};
};

} // namespace dt
