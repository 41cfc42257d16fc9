// Measures several tracing programs alternately on one task. The time of an untraced call varies by some percent within
// a second and between tasks, and these variations are as large as a tenth of the cost of tracing. So each measurement
// takes a few milliseconds, and the loop without tracing is measured before and after it.
#include "test/bench/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <sys/syscall.h>

#include "test/bench/loop.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

namespace {

constexpr int kTurns = 11;
// After this number of measurements, a program is in its steady state: it has written over 250,000 records, several
// megabytes, and has filled its buffers once.
constexpr int kSteadyTurns = 24;

void call_in_turn(char, int)
{
    static long number = 0;
    make_call(SYS_getppid, number++ % 250);
}

/// Attaches a program, measures the loop once and detaches it. Returns ns per call; absent on failure.
double take_turn(TurnsLoop& loop, const Contender& each)
{
    bool good = each.set_attached(true);
    const auto read = [&] { good &= each.read(); };
    const double traced = each.read ? loop.time(read) : loop.time();
    good &= each.set_attached(false);
    if (each.read) // reads the records, so that buffers do not fill up
        read();
    return good ? traced : absent;
}

} // namespace

Contender contender(Hand& hand)
{
    hand.detach();
    return {[&hand](bool attached) {
                attached ? hand.attach() : hand.detach();
                return hand.problem().empty();
            },
            {},
            hand.has_records()};
}

Contender contender(GatedTrace& trace)
{
    return {[&trace](bool attached) { return bool(trace.trace().set_attached(attached)); },
            [&trace] { return bool(trace.trace().pass()); }, true};
}

TurnsLoop::TurnsLoop(int runs) : caller_(call_in_turn, runs) {}

double TurnsLoop::time_long()
{
    std::vector<double> times;
    for (int turn = 0; turn < kTurns; ++turn)
        times.push_back(time());
    return figure_of(times).value;
}

bool make_steady(TurnsLoop& loop, const Contender& each)
{
    bool good = true;
    for (int turn = 0; turn < kSteadyTurns; ++turn)
        good &= !std::isnan(take_turn(loop, each));
    return good;
}

std::vector<double> take_turns(TurnsLoop& loop, const std::vector<Contender>& contenders, unsigned seed)
{
    use_other_cpus(); // the reader runs on another CPU than the loop, as a tracer does
    for (const Contender& each : contenders)
        if (each.may_have_records)
            // Ignores a failure here: the measurement itself will also fail, and reports it.
            (void)make_steady(loop, each);
    std::vector<std::vector<double>> added(contenders.size());
    std::vector<std::size_t> order(contenders.size());
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(seed);
    double before = loop.time();
    for (int turn = 0; turn < kTurns; ++turn) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order) {
            const double traced = take_turn(loop, contenders[i]);
            const double after = loop.time();
            added[i].push_back(traced - (before + after) / 2);
            before = after;
        }
    }
    std::vector<double> medians;
    for (const std::vector<double>& each : added)
        medians.push_back(std::any_of(each.begin(), each.end(), [](double ns) { return std::isnan(ns); })
                              ? absent
                              : figure_of(each).value);
    return medians;
}

} // namespace dt::bench
