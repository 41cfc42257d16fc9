// Where passing firings by is not enough, programs are attached for part of the time: a window of 5 ms and more, a gap,
// and so on. What is seen in a window stands for the gap before it, too.
#include "libdtrace/trace/budget.hpp"

#include <algorithm>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/trace/idle_time.hpp"

namespace dt {

namespace {

constexpr uint64_t kLeastWindowNs = 5 * kMillisecond;
constexpr double kGapNs = 500.0 * kMillisecond; // that a shorter window is to keep
constexpr uint32_t kBegins = 1, kGoesOn = 2;    // dt_sampling::role

} // namespace

void Budget::look_before_windows(Governed& each, uint64_t now)
{
    each.lately = each.attached && each.scale <= 1 ? now - std::max(each.switched, last_look_) : 0;
    for (std::size_t cpu = 0; each.lately > 0 && cpu < each.cpus.size(); ++cpu) {
        const uint64_t seen = seen_on(each, cpu);
        each.cpus[cpu].lately = seen - std::exchange(each.cpus[cpu].looked, seen);
    }
}

/// Has been detached: what came until then says what the first gap has.
void Budget::begin_windows(Governed& each, const Pace& pace)
{
    for (std::size_t cpu = 0; each.lately > 0 && cpu < each.cpus.size(); ++cpu) {
        const auto firings = static_cast<double>(each.cpus[cpu].lately);
        each.cpus[cpu].slowdown.add_before(static_cast<double>(each.lately), firings, price_of(each, pace, cpu));
    }
}

/// Ends or begins a window.
void Budget::turn_window(Governed& each, const Pace& pace, uint64_t now)
{
    if (pace.share >= 1) {
        if (now >= window_due(each, pace)) { // the last one is over
            each.scale = 1;
            for (std::size_t cpu = 0; cpu < schema_.sampling_sets; ++cpu)
                write_scale(each, cpu, 0);
        }
        return;
    }
    if (pace.share <= 0 || now < window_due(each, pace))
        return;
    attach(each, !each.attached, pace, now);
}

/// What a thread begins must end in the same window, so that of pairs is as long as they need.
uint64_t Budget::window_ns(const Governed& each, const Pace& pace) const
{
    const uint64_t least = each.members.front().plan->pairs ? each.pair_window : kLeastWindowNs;
    return std::clamp(static_cast<uint64_t>(kGapNs * pace.share), least, kLongestWindow);
}

uint64_t Budget::taken_by(const Governed& each, uint32_t role) const
{
    uint64_t sum = 0;
    for (const Member& member : each.members)
        for_each_counter(member, schema_.cost_sets, [&](std::size_t place) {
            if (sampling_[place % schema_.counted.size()].role == role)
                sum += costs_[place].fired;
        });
    return sum;
}

/// From the end of a window to the beginning of the next.
uint64_t Budget::gap_ns(const Governed& each, const Pace& pace) const
{
    if (pace.share >= 1 || pace.share <= 0)
        return 0;
    return static_cast<uint64_t>(static_cast<double>(window_ns(each, pace)) * (1 - pace.share) / pace.share);
}

uint64_t Budget::window_due(const Governed& each, const Pace& pace) const
{
    if (pace.share >= 1)
        return each.scale > 1 && each.attached ? each.switched + window_ns(each, pace) : UINT64_MAX;
    if (pace.share <= 0)
        return UINT64_MAX;
    return each.switched + (each.attached ? window_ns(each, pace) : gap_ns(each, pace));
}

void Budget::attach(Governed& each, bool attached, const Pace& pace, uint64_t now)
{
    if (attached) {
        const auto window = static_cast<double>(window_ns(each, pace));
        const double until = static_cast<double>(now) + window + static_cast<double>(gap_ns(each, pace)) / 2;
        each.scale = std::max((until - each.covered) / window, 1.0);
        begin_window(each, pace, now);
        ++each.windows;
        each.begun = taken_by(each, kBegins);
        each.went_on = taken_by(each, kGoesOn);
        for_each_sampling(each, [&](const Member&, std::size_t, dt_sampling& sampling) {
            constexpr uint64_t kFamily = (1 << DT_FAMILY_BITS) - 1;
            sampling.window = each.windows << DT_FAMILY_BITS | (sampling.window & kFamily);
        });
    }
    const auto before = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
    const uint64_t seen = seen_by(each);
    if (!attached && each.scale > 1)
        end_window(each, pace, before);
    if (const Result<void> done = attach_members(each, attached); !done) {
        actions_.tell({"BUDGET", {}, "maxcost: cannot attach " + each.name + " again: " + done.error().message});
        each.switched = now;
        return;
    }
    const auto then = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)); // it takes the kernel some time
    if (!attached) {
        each.pair_window = fitted_window(each.pair_window, taken_by(each, kBegins) - each.begun,
                                         taken_by(each, kGoesOn) - each.went_on);
        each.on += then - std::max(each.switched, last_look_);
        if (each.scale > 1)
            each.covered += each.scale * window_that_fired(static_cast<double>(before - each.switched),
                                                           static_cast<double>(seen - each.seen_attached),
                                                           static_cast<double>(seen_by(each) - each.seen_before),
                                                           static_cast<double>(before - each.switched),
                                                           static_cast<double>(then - each.attaching));
    }
    each.attached = attached;
    each.switched = then;
    each.attaching = before;
    each.seen_before = seen;
    each.seen_attached = seen_by(each);
    if (!attached) {
        begin_gap(each);
        take_moods(each);
    } else
        for (std::size_t cpu = 0; cpu < each.cpus.size(); ++cpu)
            each.cpus[cpu].seen = seen_on(each, cpu);
}

/// A gap has ended. Each CPU's firings stand for those that there were in it.
void Budget::begin_window(Governed& each, const Pace& pace, uint64_t now)
{
    const std::vector<uint64_t> idle = idle_by_cpu();
    const auto window = static_cast<double>(window_ns(each, pace));
    for (std::size_t cpu = 0; cpu < schema_.sampling_sets; ++cpu) {
        double scale = each.scale;
        if (cpu < each.cpus.size() && cpu < idle.size()) {
            OnCpu& on = each.cpus[cpu];
            on.slowdown.add_gap(static_cast<double>(now - each.switched),
                                static_cast<double>(idle[cpu] - std::min(idle[cpu], on.idle)));
            scale = on.slowdown.stands_for(window, each.scale, price_of(each, pace, cpu));
        }
        write_scale(each, cpu, scale);
    }
}

void Budget::end_window(Governed& each, const Pace& pace, uint64_t now)
{
    for (std::size_t cpu = 0; cpu < each.cpus.size(); ++cpu) {
        OnCpu& on = each.cpus[cpu];
        on.slowdown.add_window(static_cast<double>(now - each.switched),
                               static_cast<double>(seen_on(each, cpu) - on.seen), price_of(each, pace, cpu));
    }
}

void Budget::begin_gap(Governed& each)
{
    const std::vector<uint64_t> idle = idle_by_cpu();
    for (std::size_t cpu = 0; cpu < std::min(each.cpus.size(), idle.size()); ++cpu)
        each.cpus[cpu].idle = idle[cpu];
}

/// What goes on is there whenever something begins.
Result<void> Budget::attach_members(const Governed& each, bool attached)
{
    std::vector<const ProgramPlan*> plans;
    for (const Member& member : each.members)
        if (std::find(plans.begin(), plans.end(), member.plan) == plans.end())
            plans.push_back(member.plan);
    if (attached)
        std::reverse(plans.begin(), plans.end());
    for (const ProgramPlan* const plan : plans)
        if (Result<void> done = actions_.attach(*plan, attached); !done)
            return done;
    return {};
}

void Budget::write_scale(const Governed& each, std::size_t cpu, double scale)
{
    for (const Member& member : each.members)
        for (const uint32_t place : member.places)
            if (!member.continues)
                sampling_[cpu * schema_.counted.size() + place].scale =
                    static_cast<uint64_t>(scale * DT_SAMPLING_ONE + 0.5);
}

} // namespace dt
