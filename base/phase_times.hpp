// Durations of the phases of a run (-x timing), and threads for long kernel operations.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace dt {

/// Runs `work` in a thread that blocks all signals, because signals are for the event loop. If no thread could be
/// created, returns a thread that is not joinable.
std::thread side_thread(std::function<void()> work);

/// Durations of the phases of a run (-x timing). Code calls done() at the end of each phase, and the time since the
/// previous call is the phase's duration.
///
/// A run without timing has no PhaseTimes object, and pays only for the test of a null pointer: done(nullptr, "lower")
/// does nothing.
class PhaseTimes {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Clock = std::function<Time()>;

    struct Step {
        std::string name;
        std::chrono::nanoseconds took{};
        bool is_part = false; ///< whether this is a part of a phase; the phase follows later in the list
    };

    /// Creates the list of phases. The first phase begins at the time `since`.
    explicit PhaseTimes(Time since, Clock clock = std::chrono::steady_clock::now)
        : clock_(std::move(clock)), before_(since)
    {
    }

    /// Ends the current phase and gives it this name. If the previous phase has the same name, the two phases are
    /// merged into one.
    void done(std::string_view name);

    /// Adds time to a part of the current phase; times with the same name are summed.
    void add_part(std::string_view name, std::chrono::nanoseconds took);

    /// Makes the next phase begin now, so that the time since the end of the previous phase is not counted.
    void resume() { before_ = clock_(); }

    /// Removes and returns the finished phases in order.
    std::vector<Step> take() { return std::exchange(steps_, {}); }

    bool empty() const { return steps_.empty(); }

    Time now() const { return clock_(); }

private:
    Clock clock_;
    Time before_;
    std::vector<Step> steps_, parts_;
};

inline void done(PhaseTimes* steps, std::string_view name)
{
    if (steps)
        steps->done(name);
}

/// Adds the time between the object's construction and its destruction to the current phase, as a part.
class PartOfPhase {
public:
    PartOfPhase(PhaseTimes* steps, std::string_view name)
        : steps_(steps), name_(name), since_(steps ? steps->now() : PhaseTimes::Time{})
    {
    }
    ~PartOfPhase()
    {
        if (steps_)
            steps_->add_part(name_, steps_->now() - since_);
    }
    PartOfPhase(const PartOfPhase&) = delete;

private:
    PhaseTimes* const steps_;
    const std::string_view name_;
    const PhaseTimes::Time since_;
};

} // namespace dt
