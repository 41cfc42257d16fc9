#include "libdtrace/cost/governor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bpf-runtime/abi.h"

namespace dt {

namespace {

constexpr double kNs = 1e-9;
// Fraction of the limit of -x maxcost that the governor distributes to the BPF programs. The rest of the limit is a
// reserve: load may rise before the next measurement.
constexpr double kAim = 0.85;
// Fraction of the limit that BPF programs may always use, even if the tracer process needs more than the remaining
// fraction.
constexpr double kOwnPart = 0.25;
// Sampling reduces a program's mean time per firing at most to its hook overhead divided by this number. A further
// reduction would save little, because skipped firings still cost the hook overhead.
constexpr double kWorthSampling = 4;
// ns of the branch that decides whether a firing is skipped; the CPU cannot predict this branch
constexpr double kChoiceNs = 12;
// While a program uses sampling windows, skipping firings is worthwhile only if a firing costs at least kCostlyProgram
// times as much as the branch that skips it (kChoiceNs).
constexpr double kCostlyProgram = 8;
// Fraction of the budget that must remain for the programs after hook overhead is subtracted. If less remains, programs
// are attached only in windows.
constexpr double kForPrograms = 0.1;
constexpr double kMinShare = 1e-3; // minimum fraction of the time for which a program is attached
// The number of executed firings is increased at most by the factor kStepUp in one step, and only after kCalm seconds
// without a change.
constexpr double kStepUp = 2, kCalm = 1;
// The next sampling window's length is adapted only if the last window contained at least this many entry/return pairs.
constexpr uint64_t kPairsToAdapt = 500;
// Of the entry/return pairs that begin in a sampling window, some do not end in it. If the fraction that ends is above
// kMaxEnd, the next window is shorter; below kTooFewEnd, it is longer.
constexpr double kMaxEnd = 0.998, kTooFewEnd = 0.995;

struct Shares {
    // Load of a program in CPUs: `outside` is the hook overhead, `program` the load of the program itself.
    double outside = 0, program = 0;
};

Shares shares_of(const ProgramLoad& load)
{
    return {load.rate * load.outside * kNs, load.rate * load.program * kNs};
}

/// Returns the maximum load that each program may have so that all loads together need at most `budget`. A program
/// whose load is below this maximum is not limited.
double level(std::vector<double> wanted, double budget)
{
    std::sort(wanted.begin(), wanted.end());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double each = std::max(budget, 0.0) / static_cast<double>(wanted.size() - i);
        if (wanted[i] > each)
            return each;
        budget -= wanted[i];
    }
    return HUGE_VAL;
}

uint64_t every_for(double cost, double most)
{
    if (cost <= most)
        return 1;
    const double wanted = most > 0 ? cost / most + 1 : DT_SAMPLING_MAX_PERIOD;
    return static_cast<uint64_t>(std::min<double>(wanted, DT_SAMPLING_MAX_PERIOD));
}

/// Chooses sampling rates such that the loads of all programs add up to at most `left`, the rest of the budget after
/// hook overhead.
void pass_by(std::span<const ProgramLoad> loads, double left, std::vector<SamplingRate>& rates)
{
    std::vector<double> wanted;
    for (const ProgramLoad& load : loads)
        if (load.may_sample)
            wanted.push_back(shares_of(load).program);
    const double most = level(wanted, left);
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (const double cost = shares_of(loads[i]).program; loads[i].may_sample && cost > most)
            rates[i].every = every_for(cost, std::max(most - loads[i].rate * kChoiceNs * kNs, most / 2));
}

/// Switches off all programs with dependent firings if they need more than half of the budget. Dependent firings store
/// data for each other, for example in variables. Returns the cost of these programs if they stay on, else 0.
double switch_off(std::span<const ProgramLoad> loads, double budget, std::vector<SamplingRate>& rates)
{
    std::vector<std::size_t> stateful;
    double sum = 0;
    const auto cost = [&](std::size_t i) { return shares_of(loads[i]).outside + shares_of(loads[i]).program; };
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (loads[i].keeps_state) {
            stateful.push_back(i);
            sum += cost(i);
        }
    if (sum <= budget / 2)
        return sum;
    // switching off only some of them is useless: a start without its end, or an end without its start, yields no
    // result
    for (const std::size_t i : stateful)
        rates[i].share = 0;
    return 0;
}

/// Lets the costliest programs skip firings, if this reduces their cost. Programs that still cost too much are attached
/// only part of the time.
void attach_less(std::span<const ProgramLoad> loads, double budget, std::vector<SamplingRate>& rates)
{
    budget -= switch_off(loads, budget, rates);
    std::vector<double> costs;
    const auto most = [&] {
        std::vector<double> wanted;
        for (std::size_t i = 0; i < loads.size(); ++i)
            if (!loads[i].keeps_state)
                wanted.push_back(costs[i]);
        return level(std::move(wanted), budget);
    };
    for (const ProgramLoad& load : loads)
        costs.push_back(shares_of(load).outside + shares_of(load).program);
    const double whole = most();
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const ProgramLoad& load = loads[i];
        if (!load.may_sample || costs[i] <= whole || load.program < kCostlyProgram * kChoiceNs)
            continue;
        rates[i].every = every_for(load.program, load.outside / kWorthSampling);
        costs[i] = load.rate * kNs * firing_ns(load.outside, load.program, rates[i].every);
    }
    const double left = most();
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (!loads[i].keeps_state && costs[i] > left)
            rates[i].share = std::max(left / costs[i], kMinShare);
}

} // namespace

double firing_ns(double outside, double program, uint64_t every)
{
    return outside + program / static_cast<double>(every) + (every > 1 ? kChoiceNs : 0);
}

std::vector<SamplingRate> rates_within(std::span<const ProgramLoad> loads, double budget)
{
    std::vector<SamplingRate> rates(loads.size());
    double fixed = 0;
    for (const ProgramLoad& load : loads)
        fixed += shares_of(load).outside + (load.may_sample ? 0 : shares_of(load).program);
    if (fixed <= budget * (1 - kForPrograms))
        pass_by(loads, budget - fixed, rates);
    else
        attach_less(loads, budget, rates);
    return rates;
}

const std::vector<SamplingRate>& Governor::decide(std::span<const ProgramLoad> loads, double tracer, double seconds)
{
    const double budget = std::max(limit_ - tracer, limit_ * kOwnPart) * kAim;
    const std::vector<SamplingRate> wanted = rates_within(loads, budget);
    calm_ += seconds;
    const bool may_rise = calm_ >= kCalm;
    bool steps = false;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        SamplingRate& sampling_rate = rates_[i];
        const SamplingRate before = sampling_rate;
        if (wanted[i].every > sampling_rate.every)
            sampling_rate.every = wanted[i].every;
        else if (may_rise && wanted[i].every < sampling_rate.every)
            sampling_rate.every = std::max(wanted[i].every, sampling_rate.every / static_cast<uint64_t>(kStepUp));
        if (wanted[i].share < sampling_rate.share)
            sampling_rate.share = wanted[i].share;
        else if (may_rise && sampling_rate.share > 0)
            sampling_rate.share = std::min(wanted[i].share, sampling_rate.share * kStepUp);
        steps |= !(sampling_rate == before);
    }
    if (steps)
        calm_ = 0;
    return rates_;
}

uint64_t fitted_window(uint64_t window, uint64_t begun, uint64_t went_on)
{
    if (begun < kPairsToAdapt || went_on > begun)
        return window;
    const double part = static_cast<double>(went_on) / static_cast<double>(begun);
    if (part >= kMaxEnd)
        return std::max(window / 2, kShortestPairWindow);
    return part < kTooFewEnd ? std::min(window * 2, kLongestWindow) : window;
}

} // namespace dt
