// What one untraced call takes wanders by some percent within a second, and from task to task, which is a tenth of what
// tracing it costs. So a turn is a few milliseconds, with untraced ones on both sides of it.
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
constexpr int kSteadyTurns = 24; // a quarter of a million records and more: megabytes

void call_in_turn(char, int)
{
    static long number = 0;
    make_call(SYS_getppid, number++ % 250);
}

/// One turn, in ns a call; absent when something failed.
double take_turn(TurnsLoop& loop, const Contender& each)
{
    bool good = each.set_attached(true);
    const auto read = [&] { good &= each.read(); };
    const double traced = each.read ? loop.time(read) : loop.time();
    good &= each.set_attached(false);
    if (each.read) // or buffers get full
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
    use_other_cpus(); // as tracers are
    for (const Contender& each : contenders)
        if (each.may_have_records)
            (void)make_steady(loop, each); // what fails there fails in a turn as well, which tells
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
