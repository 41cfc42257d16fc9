// Child process that makes calls on request and reports how long a call took.
#pragma once

#include <array>
#include <functional>

#include <sys/types.h>

namespace dt::bench {

class Caller {
public:
    static constexpr int kRuns = 201, kCalls = 500; ///< number of runs, and of calls in a run
    /// Makes one call of the kind; `null` is /dev/null, open for reading.
    using Call = void (*)(char kind, int null);

    enum class Says : char {
        Median,
        Mean,
        /// Additional time of all interrupted runs, compared with the median run, as a fraction of the median time of
        /// all runs. The fraction does not depend on the machine's speed. Runs during which the task was preempted are
        /// excluded.
        Interrupted
    };

    explicit Caller(Call call, int runs = kRuns, Says says = Says::Median);
    ~Caller();
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    pid_t pid() const { return pid_; }

    /// Returns ns per call on the last CPU over all runs; for Interrupted, returns the fraction. Calls `meanwhile`
    /// every 20 ms until the result is known.
    double time(char kind = 0, const std::function<void()>& meanwhile = {});
    int calls() const { return runs_ * kCalls; }

private:
    [[noreturn]] void serve(Call call, Says says);

    const int runs_;
    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

} // namespace dt::bench
