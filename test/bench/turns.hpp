// What a call takes longer by several programs that trace it, which take turns on one task.
#pragma once

#include <functional>
#include <vector>

#include "test/bench/caller.hpp"
#include "test/bench/gated_trace.hpp"
#include "test/bench/hand.hpp"

namespace dt::bench {

/// One of those that are compared: loaded, and detached at first.
struct Contender {
    std::function<bool(bool)> set_attached; ///< false: that could not be
    std::function<bool()> read;             ///< what was recorded, false: that could not be; empty: somebody else does
    bool may_have_records = false; ///< into memory that the first ones find cold: it is written all over before
};

/// These must outlive it.
Contender contender(Hand& hand);
Contender contender(GatedTrace& trace);

/// The loop whose calls are timed, for take_turns(): getppid(2).
class TurnsLoop {
public:
    /// `runs` of 500 calls are timed at a time.
    explicit TurnsLoop(int runs = kTurnRuns);
    /// Ns a call: of some milliseconds.
    double time(const std::function<void()>& meanwhile = {}) { return caller_.time(0, meanwhile); }
    /// The median of as many as take_turns() takes of each contender.
    double time_long();

private:
    static constexpr int kTurnRuns = 41;
    Caller caller_;
};

/// Has it trace until what it sends goes where it will go, and has been everywhere there: lanes open once many samples
/// have come. False: it could not be attached, detached or read.
bool make_steady(TurnsLoop& loop, const Contender& each);

/// Ns that a call takes longer, of each the median of its turns, between untraced ones; in another order each time,
/// `seed` by `seed`. Absent of one that could not be attached, detached or read at some time.
std::vector<double> take_turns(TurnsLoop& loop, const std::vector<Contender>& contenders, unsigned seed);

} // namespace dt::bench
