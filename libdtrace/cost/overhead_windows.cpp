// Sampling windows of -x maxcost. If skipping firings does not reduce the cost enough, programs are attached in windows
// of 5 ms or more, with gaps between them. The weight of a window's firings includes half of each adjacent gap. Tracing
// usually ends in a gap, together with the traced process, so the last window's weight is too large. The kernel has
// already added up the weighted values, so the tracer corrects the sums when it prints them, and reports their
// statistical error.
#include "libdtrace/cost/overhead_controller.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/cost/cpu_speed.hpp"

namespace dt {

namespace {

constexpr uint64_t kMinWindowNs = 5 * kMillisecond;
constexpr double kGapNs = 500.0 * kMillisecond; // length of sampling gaps in ns between short sampling windows
// Values of dt_sampling::role. Probes with kBegins begin entry/return pairs, probes with kGoesOn end them.
constexpr uint32_t kBegins = 1, kGoesOn = 2;

// Minimum relative error of the correction for gaps (GapRateFactor). It is large because even the same hook overhead,
// about 60 ns, varies by some 10 ns from boot to boot.
constexpr double kMinDoubt = 0.25;
// Relative error of the estimated firings in gaps. It exists because caches and interrupts are different at the start
// of a window.
constexpr double kDoubtOfStart = 0.03;
// Additional relative error while other tasks wait for CPUs. The first value applies to gaps measured by elapsed time,
// the second to gaps measured by CPU time.
constexpr double kDoubtOfOthers = 0.15, kDoubtOfTarget = 0.08;
// The relative error of the correction for gaps (GapRateFactor) is this value multiplied by the relative spread of the
// measured hook overhead.
constexpr double kDoubtOfSpread = 2;

uint64_t sum_of_counts(const std::vector<uint64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

} // namespace

void OverheadController::look_before_windows(ThrottledGroup& each, uint64_t now)
{
    each.lately = each.attached && each.scale <= 1 ? now - std::max(each.switched, last_look_) : 0;
    for (std::size_t cpu = 0; each.lately > 0 && cpu < each.cpus.size(); ++cpu) {
        const uint64_t seen = seen_on(each, cpu);
        each.cpus[cpu].lately = seen - std::exchange(each.cpus[cpu].looked, seen);
    }
}

/// Starts to use sampling windows, just after the program was detached. The firing rate before detaching is the
/// estimate for the first gap.
void OverheadController::begin_windows(ThrottledGroup& each, const SamplingRate& sampling_rate)
{
    for (std::size_t cpu = 0; each.lately > 0 && cpu < each.cpus.size(); ++cpu) {
        const auto firings = static_cast<double>(each.cpus[cpu].lately);
        each.cpus[cpu].rate_factor.add_before(static_cast<double>(each.lately), firings,
                                              hook_overhead_on(each, sampling_rate, cpu));
    }
}

/// Begins or ends a sampling window if this is due.
void OverheadController::advance_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now)
{
    if (sampling_rate.share >= 1) {
        // The group no longer uses windows: after its last window its programs stay attached, and each firing has the
        // weight 1.
        if (now >= window_due(each, sampling_rate)) {
            end_windows(each, sampling_rate, now);
            each.scale = 1;
            for (std::size_t cpu = 0; cpu < schema_.sampling_sets; ++cpu)
                write_scale(each, cpu, 0);
        }
        return;
    }
    if (sampling_rate.share <= 0 || now < window_due(each, sampling_rate))
        return;
    attach(each, !each.attached, sampling_rate, now);
}

/// Returns the length of a sampling window in ns. Only entry/return pairs that begin and end in one window are traced,
/// so groups with pairs have their own minimum length.
uint64_t OverheadController::window_ns(const ThrottledGroup& each, const SamplingRate& sampling_rate) const
{
    const uint64_t least = each.members.front().plan->pairs ? each.pair_window : kMinWindowNs;
    return std::clamp(static_cast<uint64_t>(kGapNs * sampling_rate.share), least, kLongestWindow);
}

uint64_t OverheadController::taken_by(const ThrottledGroup& each, uint32_t role) const
{
    uint64_t sum = 0;
    for (const Member& member : each.members)
        for_each_counter(member, schema_.cost_sets, [&](std::size_t place) {
            if (sampling_[place % schema_.counted.size()].role == role)
                sum += costs_[place].fired;
        });
    return sum;
}

/// Returns the length of a sampling gap in ns: from the end of a window to the start of the next one.
uint64_t OverheadController::gap_ns(const ThrottledGroup& each, const SamplingRate& sampling_rate) const
{
    if (sampling_rate.share >= 1 || sampling_rate.share <= 0)
        return 0;
    return static_cast<uint64_t>(static_cast<double>(window_ns(each, sampling_rate)) * (1 - sampling_rate.share) /
                                 sampling_rate.share);
}

uint64_t OverheadController::window_due(const ThrottledGroup& each, const SamplingRate& sampling_rate) const
{
    if (sampling_rate.share >= 1)
        return each.scale > 1 && each.attached ? each.switched + window_ns(each, sampling_rate) : UINT64_MAX;
    if (sampling_rate.share <= 0)
        return UINT64_MAX;
    return each.switched + (each.attached ? window_ns(each, sampling_rate) : gap_ns(each, sampling_rate));
}

void OverheadController::attach(ThrottledGroup& each, bool attached, const SamplingRate& sampling_rate, uint64_t now)
{
    if (attached) {
        const auto window = static_cast<double>(window_ns(each, sampling_rate));
        const double until = static_cast<double>(now) + window + static_cast<double>(gap_ns(each, sampling_rate)) / 2;
        each.scale = std::max((until - each.covered) / window, 1.0);
        begin_window(each, sampling_rate, now);
        ++each.windows;
        each.weighted_before = weighted_hits(begun_slots(each));
        each.begun = taken_by(each, kBegins);
        each.went_on = taken_by(each, kGoesOn);
        for_each_sampling(each, [&](const Member&, std::size_t, dt_sampling& sampling) {
            constexpr uint64_t kFamily = (1 << DT_FAMILY_BITS) - 1;
            sampling.window = each.windows << DT_FAMILY_BITS | (sampling.window & kFamily);
        });
    }
    const auto before = now_monotonic();
    const double cpu_before = target_time_.read();
    const uint64_t seen = seen_by(each);
    if (!attached && each.scale > 1)
        end_window(each, sampling_rate, before);
    if (const Result<void> done = attach_members(each, attached); !done) {
        actions_.tell({"BUDGET", {}, "maxcost: cannot attach " + each.name + " again: " + done.error().message});
        each.switched = now;
        return;
    }
    const auto then = now_monotonic(); // time in ns at which attaching or detaching ended
    const double cpu_then = target_time_.read();
    if (!attached) {
        each.pair_window = fitted_window(each.pair_window, taken_by(each, kBegins) - each.begun,
                                         taken_by(each, kGoesOn) - each.went_on);
        each.on += then - std::max(each.switched, last_look_);
        const uint64_t fired = seen_by(each) - each.seen_before;
        if (each.scale > 1)
            note_window(each,
                        window_that_fired(static_cast<double>(before - each.switched),
                                          static_cast<double>(seen - each.seen_attached), static_cast<double>(fired),
                                          static_cast<double>(before - each.switched),
                                          static_cast<double>(then - each.attaching)),
                        fired);
        note_cpu_time(each, sampling_rate, cpu_before, seen, cpu_then);
    } else
        each.by_cpu_time.add_gap(cpu_before - each.cpu_switched);
    each.cpu_switched = cpu_then;
    each.cpu_attaching = cpu_then - cpu_before;
    each.attached = attached;
    each.switched = then;
    each.attaching = before;
    each.seen_before = seen;
    each.seen_attached = seen_by(each);
    if (!attached) {
        begin_gap(each);
        measure_cpu_speeds(each);
    } else
        for (std::size_t cpu = 0; cpu < each.cpus.size(); ++cpu)
            each.cpus[cpu].seen = seen_on(each, cpu);
}

/// Handles the end of a sampling gap, and sets the weight of each CPU's firings in the new window.
void OverheadController::begin_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now)
{
    const std::vector<uint64_t> idle = idle_by_cpu();
    const auto window = static_cast<double>(window_ns(each, sampling_rate));
    for (std::size_t cpu = 0; cpu < schema_.sampling_sets; ++cpu) {
        double scale = each.scale;
        if (cpu < each.cpus.size() && cpu < idle.size()) {
            OnCpu& on = each.cpus[cpu];
            on.rate_factor.add_gap(static_cast<double>(now - each.switched),
                                   static_cast<double>(idle[cpu] - std::min(idle[cpu], on.idle)));
            scale = on.rate_factor.window_weight(window, each.scale, hook_overhead_on(each, sampling_rate, cpu));
        }
        write_scale(each, cpu, scale);
    }
}

void OverheadController::end_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now)
{
    for (std::size_t cpu = 0; cpu < each.cpus.size(); ++cpu) {
        OnCpu& on = each.cpus[cpu];
        on.rate_factor.add_window(static_cast<double>(now - each.switched),
                                  static_cast<double>(seen_on(each, cpu) - on.seen),
                                  hook_overhead_on(each, sampling_rate, cpu));
    }
}

void OverheadController::begin_gap(ThrottledGroup& each)
{
    const std::vector<uint64_t> idle = idle_by_cpu();
    for (std::size_t cpu = 0; cpu < std::min(each.cpus.size(), idle.size()); ++cpu)
        each.cpus[cpu].idle = idle[cpu];
}

/// Attaches or detaches all programs of a group. The order ensures that a program that ends entry/return pairs is
/// attached as long as the program that begins these pairs is attached.
Result<void> OverheadController::attach_members(const ThrottledGroup& each, bool attached)
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

void OverheadController::write_scale(const ThrottledGroup& each, std::size_t cpu, double scale)
{
    for (const Member& member : each.members)
        for (const uint32_t place : member.places)
            if (!member.continues)
                sampling_[cpu * schema_.counted.size() + place].scale =
                    static_cast<uint64_t>(scale * DT_SAMPLING_SCALE_ONE + 0.5);
}

// ---- the end of a trace ---------------------------------------------------------------------------------------------

/// Returns the counter slots of the probes whose firings have a weight of their own. All other probes end entry/return
/// pairs, and their firings have the weight of the pair's start.
std::vector<uint32_t> OverheadController::begun_slots(const ThrottledGroup& each) const
{
    std::vector<uint32_t> places;
    for (const Member& member : each.members)
        if (!member.continues)
            places.insert(places.end(), member.places.begin(), member.places.end());
    return places;
}

std::vector<uint64_t> OverheadController::weighted_hits(const std::vector<uint32_t>& places) const
{
    std::vector<uint64_t> weighted(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        for (uint32_t set = 0; set < schema_.sampling_sets; ++set)
            weighted[i] += sampling_[set * schema_.counted.size() + places[i]].total_weight;
    return weighted;
}

/// Records a sampling window that has ended: the group's probes fired `fired` times in `fired_ns` ns.
void OverheadController::note_window(ThrottledGroup& each, double fired_ns, uint64_t fired)
{
    each.span = each.scale * fired_ns;
    each.covered += each.span;
    const auto weighted =
        static_cast<double>(sum_of_counts(weighted_hits(begun_slots(each))) - sum_of_counts(each.weighted_before));
    const std::vector<uint64_t> by_place = weighted_hits(begun_slots(each));
    each.weighted_by_slot.resize(by_place.size());
    for (std::size_t i = 0; i < by_place.size(); ++i)
        each.weighted_by_slot[i] += static_cast<double>(by_place[i] - each.weighted_before[i]);
    each.spread.add(weighted, each.span);
    each.weighted += weighted;
    each.seen_in_windows += static_cast<double>(fired);
    each.plain += static_cast<double>(fired) * each.scale;
}

/// Ends the use of sampling windows at the time `end`, because tracing ends or skipping firings suffices. Computes how
/// much of the last window's weight stands for time after `end`.
void OverheadController::end_windows(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t end)
{
    if (each.attached) { // the group of programs is in a sampling window, which ends now
        note_window(each, static_cast<double>(end - std::min(end, each.switched)), seen_by(each) - each.seen_before);
        const double cpu = target_time_.read();
        note_cpu_time(each, sampling_rate, cpu, seen_by(each), cpu);
        each.cpu_switched = cpu;
        each.cpu_attaching = 0;
        each.seen_before = each.seen_attached = seen_by(each);
    }
    const double span = std::exchange(each.span, 0);
    if (each.of_target) // for groups that fire only in $target, end_by_cpu_time() computes a better estimate
        return;
    const double part = part_after_end(each.covered, static_cast<double>(end), span);
    const std::vector<uint32_t> places = begun_slots(each);
    const std::vector<uint64_t> weighted = weighted_hits(places);
    for (std::size_t i = 0; i < std::min(places.size(), each.weighted_before.size()); ++i)
        weighted_after_end_[places[i]] += part * static_cast<double>(weighted[i] - each.weighted_before[i]);
}

/// Returns the mean time in ns that tracing adds to a firing, weighted by the number of firings on each CPU.
double OverheadController::mean_firing_cost(const ThrottledGroup& each, const SamplingRate& sampling_rate) const
{
    double sum = 0, firings = 0;
    for (std::size_t cpu = 0; cpu < each.cpus.size(); ++cpu) {
        const auto seen = static_cast<double>(seen_on(each, cpu));
        sum += seen * hook_overhead_on(each, sampling_rate, cpu);
        firings += seen;
    }
    return firings > 0 ? sum / firings : 0;
}

/// Records how much CPU time $target used while the group was attached. `before` and `then` are $target's CPU times in
/// ns when detaching began and when it had ended. `seen` is the group's number of firings when detaching began.
void OverheadController::note_cpu_time(ThrottledGroup& each, const SamplingRate& sampling_rate, double before,
                                       uint64_t seen, double then)
{
    const double attached = before - each.cpu_switched, most = attached + each.cpu_attaching + then - before;
    const auto fired = static_cast<double>(seen_by(each) - each.seen_before);
    const double ns =
        window_that_fired(attached, static_cast<double>(seen - each.seen_attached), fired, attached, most);
    each.by_cpu_time.add_attached(ns, fired, mean_firing_cost(each, sampling_rate));
    each.by_cpu_time.add_gap(most - ns);
}

/// Corrects the weights of all sampling windows by an estimate from $target's CPU time.
void OverheadController::end_by_cpu_time(ThrottledGroup& each)
{
    if (!each.attached)
        each.by_cpu_time.add_gap(target_time_.read() - each.cpu_switched);
    each.by_cpu_time.finish();
    const std::vector<uint32_t> places = begun_slots(each);
    // If there was no sampling window, the estimated firings of the gap are distributed over the counter slots in
    // proportion to all firings seen.
    const bool has_windows = each.weighted > 0;
    const std::vector<uint64_t> all = weighted_hits(places);
    const double basis = has_windows ? each.weighted : static_cast<double>(sum_of_counts(all));
    const double missed = each.by_cpu_time.in_gaps() - (has_windows ? each.weighted - each.seen_in_windows : 0);
    for (std::size_t i = 0; i < places.size() && basis > 0; ++i)
        weighted_after_end_[places[i]] -=
            missed * (has_windows ? each.weighted_by_slot[i] : static_cast<double>(all[i])) / basis;
}

/// Adds the estimated firings of a gap, if tracing ends in the first gap, before any window. The estimate uses the
/// firing rate before the gap.
void OverheadController::end_first_gap(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t end)
{
    const std::vector<uint64_t> idle = idle_by_cpu();
    double seen = 0, more = 0;
    for (std::size_t cpu = 0; cpu < std::min(each.cpus.size(), idle.size()); ++cpu) {
        OnCpu& on = each.cpus[cpu];
        on.rate_factor.add_gap(static_cast<double>(end) - each.covered,
                               static_cast<double>(idle[cpu] - std::min(idle[cpu], on.idle)));
        const auto firings = static_cast<double>(seen_on(each, cpu));
        seen += firings;
        more += firings * on.rate_factor.factor(hook_overhead_on(each, sampling_rate, cpu));
    }
    const double before = each.covered - static_cast<double>(began_), gap = static_cast<double>(end) - each.covered;
    if (before <= 0 || gap <= 0)
        return;
    const double part = -gap / before * (seen > 0 ? more / seen : 1);
    const std::vector<uint32_t> places = begun_slots(each);
    const std::vector<uint64_t> weighted = weighted_hits(places);
    for (std::size_t i = 0; i < places.size(); ++i)
        weighted_after_end_[places[i]] += part * static_cast<double>(weighted[i]);
    each.unseen = -part * static_cast<double>(sum_of_counts(weighted));
}

void OverheadController::finish(uint64_t now)
{
    enter_losses(now);
    const auto traced = static_cast<double>(std::max<uint64_t>(now - began_, 1));
    waited_ = std::min(static_cast<double>(waited_for_cpus() - waited_before_) / traced, 1.0);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        ThrottledGroup& each = groups_[i];
        const SamplingRate& sampling_rate = governor_.rates()[i];
        const bool has_windows = each.scale > 1 || each.span > 0;
        // A sampling rate with share 0 means that the program was switched off. No gap is estimated for it, because its
        // total is not valid anyway.
        const bool ends_in_gap = !each.attached && sampling_rate.share > 0;
        if (has_windows)
            end_windows(each, sampling_rate, now);
        if (each.of_target && (each.windows > 0 || ends_in_gap))
            end_by_cpu_time(each);
        else if (!has_windows && ends_in_gap)
            end_first_gap(each, sampling_rate, now);
    }
}

double OverheadController::total_of(const ThrottledGroup& each) const
{
    double sum = 0;
    for (const uint32_t place : begun_slots(each))
        sum -= weighted_after_end_[place];
    return sum + static_cast<double>(sum_of_counts(weighted_hits(begun_slots(each))));
}

/// Returns the statistical error of the group's total, as a number of firings. It combines the differences between
/// windows with errors that are common to all windows.
double OverheadController::error_of(const ThrottledGroup& each) const
{
    double doubt = kMinDoubt;
    for (const Member& member : each.members)
        if (member.outside > 0)
            doubt = std::max(doubt, kDoubtOfSpread * member.spread / member.outside);
    const FiringsByCpuTime& by_time = each.by_cpu_time;
    const double differ = each.of_target ? by_time.error() : each.spread.error();
    const double by_overhead = each.of_target ? by_time.by_overhead() : each.weighted - each.plain;
    const double in_gaps = each.of_target ? by_time.in_gaps() : each.weighted - each.seen_in_windows;
    const double of_gaps = kDoubtOfStart + waited_ * (each.of_target ? kDoubtOfTarget : kDoubtOfOthers);
    return std::hypot(differ, by_overhead * std::min(doubt, 1.0), in_gaps * of_gaps) + each.unseen;
}

std::vector<double> OverheadController::corrections() const
{
    std::vector<double> factors(schema_.aggregations.size(), 1);
    if (!sampling_)
        return factors;
    const auto adds_to = [&](const AggregationSchema& aggregation, uint32_t place) {
        const auto& runs = schema_.counted[place].statements;
        return std::any_of(runs.begin(), runs.end(), [&](uint32_t id) {
            const auto& same = schema_.statements[id].code_of;
            return aggregation.weighted_by.count(id) != 0 || std::any_of(same.begin(), same.end(), [&](uint32_t other) {
                       return aggregation.weighted_by.count(other) != 0;
                   });
        });
    };
    for (const AggregationSchema& aggregation : schema_.aggregations) {
        double weighted = 0, beyond = 0;
        for (const ThrottledGroup& each : groups_) {
            std::vector<uint32_t> places, goes_on;
            for (const Member& member : each.members)
                std::copy_if(member.places.begin(), member.places.end(),
                             std::back_inserter(member.continues ? goes_on : places),
                             [&](uint32_t place) { return adds_to(aggregation, place); });
            // firings that end entry/return pairs have no weights of their own; the weight of the pair's start is used
            if (places.empty() && !goes_on.empty())
                places = begun_slots(each);
            weighted += static_cast<double>(sum_of_counts(weighted_hits(places)));
            for (const uint32_t place : places)
                beyond += weighted_after_end_[place];
        }
        if (weighted > 0)
            factors[aggregation.id] = 1 - beyond / weighted;
    }
    return factors;
}

} // namespace dt
