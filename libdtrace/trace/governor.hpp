// -x maxcost: from what firings cost it follows how many may be taken.
//
// Firings of the dearest programs are passed by first, so that what others see stays whole. What a firing costs before
// its program begins is paid all the same; where that alone is too much, programs are attached for part of the time
// only. A program whose firings depend on one another can do neither and is switched off. The way down is taken at
// once, the way up in steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dt {

/// What a program was seen to do.
struct ProgramLoad {
    double rate = 0;         ///< firings a second, while it was attached
    double program = 0;      ///< ns that one takes which is not passed by
    double outside = 0;      ///< ns that each takes before and behind the program
    bool may_sample = false; ///< ProgramPlan::may_sample
    bool keeps_state = false;
};

struct Pace {
    uint64_t every = 1; ///< of so many firings one is taken
    double share = 1;   ///< part of the time that it is attached; 0: never again

    bool operator==(const Pace&) const = default;
};

/// Ns that each firing takes of a program of which one in `every` is taken: also those that are passed by.
double firing_ns(double outside, double program, uint64_t every);

class Governor {
public:
    /// `limit`: CPUs that tracing may take, for `programs` programs.
    Governor(double limit, std::size_t programs) : limit_(limit), paces_(programs) {}

    /// `loads`: of each program. `tracer`: CPUs that this process takes itself. `seconds` since the last decision.
    const std::vector<Pace>& decide(std::span<const ProgramLoad> loads, double tracer, double seconds);
    const std::vector<Pace>& paces() const { return paces_; }

private:
    double limit_;
    std::vector<Pace> paces_;
    double calm_ = 0; ///< seconds since the last step
};

/// What would keep the sum of the loads within `budget` CPUs, whatever was decided before.
std::vector<Pace> paces_within(std::span<const ProgramLoad> loads, double budget);

constexpr uint64_t kShortestPairWindow = 10'000'000, kLongestWindow = 50'000'000; // ns

/// How long the next window of a program with pairs is to be, in ns: of those that began in the last one `went_on`.
/// Where all but a few of a thousand ended in it a shorter one will do, and shorter gaps; those few are the longest
/// ones. Where more went on than began nothing is known.
uint64_t fitted_window(uint64_t window, uint64_t begun, uint64_t went_on);

} // namespace dt
