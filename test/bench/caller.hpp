// A child that calls when it is told to, and says how long a call took.
#pragma once

#include <array>
#include <functional>

#include <sys/types.h>

namespace dt::bench {

class Caller {
public:
    static constexpr int kRuns = 201, kCalls = 500; ///< a run has so many calls
    /// Makes one call of the kind; `null` is /dev/null, open for reading.
    using Call = void (*)(char kind, int null);

    enum class Says : char {
        Median,
        Mean,
        Interrupted ///< how much longer than the median those runs are that something interrupts, of all: a part of the
                    ///< median, which does not depend on the machine's speed. Without those that a task was put off in
    };

    explicit Caller(Call call, int runs = kRuns, Says says = Says::Median);
    ~Caller();
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    pid_t pid() const { return pid_; }

    /// Ns a call, on the last CPU, of all runs; or that part. `meanwhile` is done every 20 ms until it is known.
    double time(char kind = 0, const std::function<void()>& meanwhile = {});
    int calls() const { return runs_ * kCalls; }

private:
    [[noreturn]] void serve(Call call, Says says);

    const int runs_;
    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
};

} // namespace dt::bench
