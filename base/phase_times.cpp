// Starts threads for long kernel operations, and manages the list of a run's phases, in which the parts of a phase
// precede the phase itself. Signals are blocked while a thread is created, because the thread inherits its creator's
// signal mask.
#include "base/phase_times.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <system_error>

namespace dt {

std::thread side_thread(std::function<void()> work)
{
    std::thread made;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        made = std::thread(std::move(work));
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
}

namespace {

void add(std::vector<PhaseTimes::Step>& parts, std::string_view name, std::chrono::nanoseconds took)
{
    const auto known =
        std::find_if(parts.begin(), parts.end(), [name](const PhaseTimes::Step& part) { return part.name == name; });
    if (known == parts.end())
        parts.push_back({std::string(name), took, true});
    else
        known->took += took;
}

} // namespace

void PhaseTimes::add_part(std::string_view name, std::chrono::nanoseconds took)
{
    add(parts_, name, took);
}

void PhaseTimes::done(std::string_view name)
{
    const Time now = clock_();
    std::chrono::nanoseconds took = now - std::exchange(before_, now);
    if (!steps_.empty() && steps_.back().name == name) { // merges two phases of the same name, and their parts
        took += steps_.back().took;
        steps_.pop_back();
        std::vector<Step> more = std::exchange(parts_, {});
        const auto first =
            std::find_if(steps_.rbegin(), steps_.rend(), [](const Step& step) { return !step.is_part; }).base();
        parts_.assign(first, steps_.end());
        steps_.erase(first, steps_.end());
        for (const Step& part : more)
            add(parts_, part.name, part.took);
    }
    std::move(parts_.begin(), parts_.end(), std::back_inserter(steps_));
    parts_.clear();
    steps_.push_back({std::string(name), took, false});
}

} // namespace dt
