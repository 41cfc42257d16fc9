// How long the steps of a run take (-x timing): who has done a step says so, and what passed since the step before is
// its time.
//
// A run that nobody times has no Steps, and pays the test of a pointer for each: done(nullptr, "lower") does nothing.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt {

class Steps {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Clock = std::function<Time()>;

    struct Step {
        std::string name;
        std::chrono::nanoseconds took{};
        bool is_part = false; ///< its time is part of the next step's that is none
    };

    /// The first step began then.
    explicit Steps(Time since, Clock clock = std::chrono::steady_clock::now) : clock_(std::move(clock)), before_(since)
    {
    }

    /// What passed since the step before was this one. Done in one go with a step of that name it is more of that.
    void done(std::string_view name);

    /// So much of the step that goes on is spent on that, all times of the step together.
    void add_part(std::string_view name, std::chrono::nanoseconds took);

    /// The next step begins now: what passed since the one before is nobody's.
    void resume() { before_ = clock_(); }

    /// Those done, in order, which are forgotten.
    std::vector<Step> take() { return std::exchange(steps_, {}); }

    bool empty() const { return steps_.empty(); }

    Time now() const { return clock_(); }

private:
    Clock clock_;
    Time before_;
    std::vector<Step> steps_, parts_;
};

inline void done(Steps* steps, std::string_view name)
{
    if (steps)
        steps->done(name);
}

/// Its lifetime is part of the step that goes on.
class PartOfStep {
public:
    PartOfStep(Steps* steps, std::string_view name)
        : steps_(steps), name_(name), since_(steps ? steps->now() : Steps::Time{})
    {
    }
    ~PartOfStep()
    {
        if (steps_)
            steps_->add_part(name_, steps_->now() - since_);
    }
    PartOfStep(const PartOfStep&) = delete;

private:
    Steps* const steps_;
    const std::string_view name_;
    const Steps::Time since_;
};

} // namespace dt
