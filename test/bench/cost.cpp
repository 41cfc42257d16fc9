// The cost of an event to the traced loop: differences to the same loop untraced, measured next to it.
#include "test/bench/cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "test/bench/loop.hpp"
#include "test/bench/report.hpp"
#include "test/bench/tool.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

namespace {

// Waits until the loop is clearly slower than untraced, three times in a row (once may be noise): the tracer that has
// just been started is active. False when it ended, or did nothing for ten seconds.
bool wait_until_slower(TurnsLoop& loop, double untraced, const Tool& tool)
{
    using namespace std::chrono_literals;
    const auto until = std::chrono::steady_clock::now() + 10s;
    for (int in_a_row = 0; in_a_row < 3; std::this_thread::sleep_for(10ms)) {
        if (!tool.running() || std::chrono::steady_clock::now() > until)
            return false;
        in_a_row = loop.time() > untraced * 1.05 ? in_a_row + 1 : 0;
    }
    return true;
}

/// By a tracer that is started with these words, and cannot be detached from outside; absent, and `problem` says why,
/// when it has no effect; what it loses is not asked. Its output goes to /dev/null: what a terminal costs is not ours
/// to measure.
double added_by_tool(TurnsLoop& loop, const Words& words, std::string& problem)
{
    const double before = loop.time_long();
    Tool tool(words, "/dev/null");
    if (!wait_until_slower(loop, before, tool)) {
        problem = words[0] + " had no effect: " + tool.interrupt().err;
        return absent;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // its start-up work is over
    const double traced = loop.time_long();
    tool.interrupt();
    return traced - (before + loop.time_long()) / 2;
}

/// One round: ns a call, and what went wrong.
struct CostRound {
    double hand = absent, promised = absent, ours = absent, bpftrace = absent;
    std::string failed, note;
};

CostRound measure_round(const ByHand& by_hand, const ByHand& by_promised, const TracedScript& script,
                        const std::optional<Words>& bpftrace, unsigned seed)
{
    CostRound round;
    TurnsLoop loop;
    {
        std::vector<Contender> contenders;
        std::vector<double*> figures;
        const auto hand = by_hand(), promised = by_promised ? by_promised() : nullptr;
        for (const auto& [each, figure] :
             {std::pair(hand.get(), &round.hand), std::pair(promised.get(), &round.promised)})
            if (each != nullptr && each->problem().empty()) {
                contenders.push_back(contender(*each));
                figures.push_back(figure);
            } else if (each != nullptr)
                round.note = "by hand: " + each->problem();
        const auto ours = GatedTrace::start(script);
        if (!ours) {
            round.failed = "cannot be traced";
            return round;
        }
        contenders.push_back(contender(*ours));
        figures.push_back(&round.ours);
        const std::vector<double> added = take_turns(loop, contenders, seed);
        for (std::size_t i = 0; i < added.size(); ++i)
            *figures[i] = added[i];
        if (std::isnan(round.ours))
            round.failed = "could not be attached and detached by turns";
        for (const auto* each : {hand.get(), promised.get()})
            if (each != nullptr && !each->problem().empty())
                round.note = "by hand: " + each->problem();
            else if (each != nullptr && each->lost() > 0)
                round.note = "by hand: events were lost";
        if (const std::string losses = ours->losses(); !losses.empty())
            round.note = losses;
    }
    if (bpftrace)
        round.bpftrace = added_by_tool(loop, *bpftrace, round.note);
    return round;
}

} // namespace

ByHand program_by_hand(const std::string& program)
{
    return [program] { return std::make_unique<Hand>(program); };
}

ByHand object_by_hand(const std::string& path)
{
    return [path] { return std::make_unique<Hand>(HandObject{path}); };
}

double added_by_hand(const ByHand& by_hand, std::string& problem)
{
    const double untraced = ns_per_call();
    double traced = absent;
    {
        const auto hand = by_hand();
        problem = hand->problem();
        if (problem.empty())
            traced = ns_per_call();
        if (problem.empty() && hand->lost() > 0)
            problem = "events were lost";
    }
    return problem.empty() ? traced - std::min(untraced, ns_per_call()) : absent;
}

void measure_cost(const Bench& bench, Row row, const ByHand& by_hand, const TracedScript& ours,
                  const std::optional<Words>& bpftrace, const ByHand& promised)
{
    std::vector<double> of_hand, of_promised, of_ours, of_bpftrace;
    for (int i = 0; i < bench.rounds; i++) {
        const CostRound round = measure_round(by_hand, promised, ours, bpftrace, static_cast<unsigned>(i));
        if (!round.failed.empty())
            return bench.report.problem(row.what, round.failed);
        of_hand.push_back(round.hand);
        of_promised.push_back(round.promised);
        of_ours.push_back(round.ours);
        of_bpftrace.push_back(round.bpftrace);
        if (!round.note.empty())
            row.note = round.note;
    }
    row.hand = figure_of(of_hand);
    row.ours = figure_of(of_ours);
    row.bpftrace = figure_of(of_bpftrace);
    row.of_hand = ratio_of(of_ours, of_hand);
    row.promised = figure_of(of_promised);
    row.of_promised = ratio_of(of_ours, of_promised);
    row.of_bpftrace = ratio_of(of_ours, of_bpftrace);
    bench.report.add(row);
}

} // namespace dt::bench
