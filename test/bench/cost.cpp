// Measures the cost of an event for the traced loop: the difference between the traced and the untraced loop, which run
// alternately.
#include "test/bench/cost.hpp"

#include <algorithm>
#include <cmath>

#include "test/bench/loop.hpp"
#include "test/bench/report.hpp"
#include "test/bench/spacers.hpp"
#include "test/bench/tool_cost.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

namespace {

// bpftrace is measured only in every fourth round, because starting and ending it takes most of the time.
constexpr int kRoundsOfBpftrace = 4;

/// Result of one round of measurements: the ns that each program adds to a call, an error message, and a remark for the
/// table.
struct CostRound {
    double hand = absent, promised = absent, ours = absent, bpftrace = absent;
    std::string failed, note;
};

CostRound measure_round(const ByHand& by_hand, const ByHand& by_promised, const TracedScript& script,
                        const std::optional<Words>& bpftrace, unsigned seed)
{
    CostRound round;
    const Spacers spacers(seed);
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
    if (bpftrace) {
        std::string problem;
        round.bpftrace = added_by_tool(loop, *bpftrace, problem);
        if (!problem.empty())
            round.note += (round.note.empty() ? "bpftrace: " : "; bpftrace: ") + problem;
    }
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
        const CostRound round = measure_round(
            by_hand, promised, ours, i % kRoundsOfBpftrace == 0 ? bpftrace : std::nullopt, static_cast<unsigned>(i));
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
