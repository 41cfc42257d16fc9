// Measures how much time several tracing programs add to a call. The programs alternate on one task.
#pragma once

#include <functional>
#include <vector>

#include "test/bench/caller.hpp"
#include "test/bench/gated_trace.hpp"
#include "test/bench/hand.hpp"

namespace dt::bench {

/// A program to compare with others. It is loaded, and initially detached.
struct Contender {
    std::function<bool(bool)> set_attached; ///< attaches or detaches the programs; returns false on failure
    /// Reads the records, and returns false on failure. An empty function if another thread reads them.
    std::function<bool()> read;
    /// Whether the program may write records. Its buffers must then be filled once before measuring, because the first
    /// records find cold caches.
    bool may_have_records = false;
};

/// Wraps a hand-written program or a trace as a Contender, that is, a program to compare. The argument must outlive it.
Contender contender(Hand& hand);
Contender contender(GatedTrace& trace);

/// The loop that take_turns() measures: calls of getppid(2) in a child process.
class TurnsLoop {
public:
    /// The loop times `runs` runs of 500 calls in each measurement.
    explicit TurnsLoop(int runs = kTurnRuns);
    /// Returns ns per call, measured over some milliseconds.
    double time(const std::function<void()>& meanwhile = {}) { return caller_.time(0, meanwhile); }
    /// Returns the loop's ns per call as the median of many measurements, as many as take_turns() makes for each
    /// program.
    double time_long();

private:
    static constexpr int kTurnRuns = 41;
    Caller caller_;
};

/// Runs a program until it writes records at its steady speed: dtrace has opened its mmap rings, which happens only
/// after many records, and each ring has been filled once. Returns false if the program cannot be attached, detached or
/// read.
bool make_steady(TurnsLoop& loop, const Contender& each);

/// Returns for each program the ns that it adds to a call, measured many times in an order that `seed` determines. Each
/// measurement is compared with the untraced loop before and after it, and the median of the differences is returned.
/// Absent if a program could not be attached, detached or read.
std::vector<double> take_turns(TurnsLoop& loop, const std::vector<Contender>& contenders, unsigned seed);

} // namespace dt::bench
