// Child process that makes calls on request and reports how long a call took.
#pragma once

#include <array>
#include <functional>

#include <sys/types.h>

namespace dt::bench {

class Caller {
public:
    static constexpr int kRuns = 201, kCalls = 500; ///< default number of runs, and number of calls per run
    /// Makes one call. `kind` selects the system call or function; `null` is a descriptor of /dev/null for calls that
    /// read.
    using Call = void (*)(char kind, int null);

    enum class Says : char {
        Median,
        Mean,
        /// The interrupted runs take longer than the median run. The result is their additional time, averaged over all
        /// runs, as a fraction of the median. The fraction does not depend on the machine's speed. Runs during which
        /// the task was preempted are excluded.
        Interrupted
    };

    explicit Caller(Call call, int runs = kRuns, Says says = Says::Median);
    ~Caller();
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    pid_t pid() const { return pid_; }

    /// Lets the child make all runs on the last CPU. Returns the median or mean ns per call; for Says::Interrupted, the
    /// fraction. Calls `meanwhile` every 20 ms until the result is known.
    double time(char kind = 0, const std::function<void()>& meanwhile = {});
    int calls() const { return runs_ * kCalls; }

private:
    [[noreturn]] void serve(Call call, Says says);

    const int runs_;
    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

} // namespace dt::bench
