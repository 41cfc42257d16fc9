// The signals that end a run (output reference 1.2).
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <functional>

namespace dt {

/// While it lives, INT, TERM, HUP and QUIT end the run instead of the process, and a closed pipe is a write error. Signals that were ignored
/// before stay ignored. The previous state comes back on destruction.
class Signals {
public:
    /// `at_first` is called once, when the first signal comes, from another thread: whatever the thread of the run waits for. Throws
    /// std::bad_alloc when there is no memory for that thread.
    explicit Signals(std::function<void()> at_first);
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Readable for ever when a first signal has come.
    int descriptor() const { return came_; }

    /// True once a first signal came. From then on a further one ends the process at once, with status 0; the kernel releases
    /// everything that a process held.
    bool interrupted() const { return interrupted_; }
    /// The number of the first signal; 0: none came.
    int first() const { return first_; }

private:
    static void* watch(void* self);
    void wait_for_first();

    std::function<void()> at_first_;
    int signals_ = -1, came_ = -1, leave_ = -1;
    std::atomic<bool> interrupted_ = false;
    std::atomic<int> first_ = 0;
    sigset_t caught_;
    sigset_t previous_mask_;
    struct sigaction previous_pipe_;
    pthread_t watcher_;
};

} // namespace dt
