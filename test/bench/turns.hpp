// Additional time of a call for several tracing programs that alternate on one task.
#pragma once

#include <functional>
#include <vector>

#include "test/bench/caller.hpp"
#include "test/bench/gated_trace.hpp"
#include "test/bench/hand.hpp"

namespace dt::bench {

/// A compared program: loaded, and initially detached.
struct Contender {
    std::function<bool(bool)> set_attached; ///< attaches or detaches the programs; returns false on failure
    /// Reads the records; returns false on failure; empty if another thread reads them.
    std::function<bool()> read;
    /// Whether the contender may write records. Then its buffers must be filled once before measuring, because the
    /// first records would be measured with cold caches.
    bool may_have_records = false;
};

/// Returns a contender that refers to the argument, which must outlive it.
Contender contender(Hand& hand);
Contender contender(GatedTrace& trace);

/// Loop whose calls are timed, for take_turns(): getppid(2).
class TurnsLoop {
public:
    /// The loop times `runs` runs of 500 calls in each measurement.
    explicit TurnsLoop(int runs = kTurnRuns);
    /// Returns ns per call, measured over some milliseconds.
    double time(const std::function<void()>& meanwhile = {}) { return caller_.time(0, meanwhile); }
    /// Returns the median of as many measurements as take_turns() makes for each contender.
    double time_long();

private:
    static constexpr int kTurnRuns = 41;
    Caller caller_;
};

/// Runs the contender until its output is in its steady state: mmap rings are open, which happens only after many
/// records, and every part of a ring has been used. Returns false if the contender cannot be attached, detached or
/// read.
bool make_steady(TurnsLoop& loop, const Contender& each);

/// Returns the additional ns per call of each contender: the median over its measurements of the difference to the
/// untraced measurements before and after. `seed` determines the order. Absent if a contender could not be attached,
/// detached or read.
std::vector<double> take_turns(TurnsLoop& loop, const std::vector<Contender>& contenders, unsigned seed);

} // namespace dt::bench
