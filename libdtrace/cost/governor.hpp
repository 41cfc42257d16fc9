// The governor of -x maxcost: computes how many firings may be executed, from the measured cost of a firing.
//
// The costliest programs skip firings first, so that cheaper programs can execute all of their firings. A skipped
// firing still costs its hook overhead. If the hook overhead alone exceeds the limit, programs are attached only part
// of the time. A program whose firings depend on one another can neither skip firings nor be detached for some time, so
// it is switched off. A reduction of the number of executed firings takes effect immediately and fully; an increase is
// made in steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dt {

/// Measured load of a program.
struct ProgramLoad {
    double rate = 0;         ///< number of firings a second while the program is attached
    double program = 0;      ///< ns that an executed firing spends in the program
    double outside = 0;      ///< hook overhead of a firing in ns, which skipped firings cost too
    bool may_sample = false; ///< whether firings may be skipped (ProgramPlan::may_sample)
    bool keeps_state = false;
};

struct SamplingRate {
    uint64_t every = 1; ///< sampling interval: one of this many firings is executed
    /// fraction of the time in which the program is attached; 0 if it was switched off until the end of the trace
    double share = 1;

    bool operator==(const SamplingRate&) const = default;
};

/// Returns the mean time of a firing in ns, including skipped firings, if one of `every` firings is executed.
double firing_ns(double outside, double program, uint64_t every);

class Governor {
public:
    /// Creates a governor for `programs` programs. `limit` is the CPU time that tracing may use, in CPUs.
    Governor(double limit, std::size_t programs) : limit_(limit), rates_(programs) {}

    /// Decides the sampling rates from the loads of all programs. `tracer` is the load of this process in CPUs, and
    /// `seconds` is the time since the last decision.
    const std::vector<SamplingRate>& decide(std::span<const ProgramLoad> loads, double tracer, double seconds);
    const std::vector<SamplingRate>& rates() const { return rates_; }

private:
    double limit_;
    std::vector<SamplingRate> rates_;
    double calm_ = 0; ///< seconds since a sampling rate was last changed
};

/// Returns sampling rates for which all loads together need at most `budget` CPUs, regardless of earlier decisions.
std::vector<SamplingRate> rates_within(std::span<const ProgramLoad> loads, double budget);

// Minimum and maximum length in ns of a sampling window of programs that trace entry/return pairs.
constexpr uint64_t kShortestPairWindow = 10'000'000, kLongestWindow = 50'000'000;

/// Returns the length in ns of the next sampling window of programs that trace entry/return pairs. `window` is the
/// length of the last window. `begun` is the number of pairs that began in it, and `went_on` the number that ended in
/// it. If nearly all pairs ended, the next window is shorter. If more pairs ended than began, the length does not
/// change.
uint64_t fitted_window(uint64_t window, uint64_t begun, uint64_t went_on);

} // namespace dt
