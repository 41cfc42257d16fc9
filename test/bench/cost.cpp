// The cost of an event to the traced loop: differences to the same loop untraced, measured next to it.
#include "test/bench/cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <thread>

#include "test/bench/loop.hpp"
#include "test/bench/report.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

// Waits until the loop is clearly slower than untraced, three times in a row (once may be noise): the tracer that has
// just been started is active. False when it ended, or did nothing for ten seconds.
bool wait_until_slower(double untraced, const Tool& tool)
{
    using namespace std::chrono_literals;
    const auto until = std::chrono::steady_clock::now() + 10s;
    for (int in_a_row = 0; in_a_row < 3; std::this_thread::sleep_for(10ms)) {
        if (!tool.running() || std::chrono::steady_clock::now() > until)
            return false;
        in_a_row = ns_per_call(10) > untraced * 1.1 ? in_a_row + 1 : 0;
    }
    return true;
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

// Its output goes to /dev/null: what a terminal costs is not ours to measure.
double added_by_tool(const Words& words, std::string& problem)
{
    double untraced = ns_per_call();
    Tool tool(words, "/dev/null");
    if (!wait_until_slower(untraced, tool)) {
        problem = words[0] + " had no effect: " + tool.interrupt().err;
        return absent;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // its start-up work is over
    const double traced = ns_per_call();
    const Usage usage = tool.interrupt();
    untraced = std::min(untraced, ns_per_call());
    if (usage.err.find("drop") != std::string::npos || usage.err.find("ost ") != std::string::npos)
        problem = words[0] + ": " + usage.err.substr(0, 120);
    return traced - untraced;
}

void measure_cost(const Bench& bench, Row row, const ByHand& by_hand, const Words& ours,
                  const std::optional<Words>& bpftrace, const ByHand& promised)
{
    std::vector<double> of_hand, of_promised, of_ours, of_bpftrace;
    std::string failed;
    const auto hand = [&](const ByHand& program, std::vector<double>& to) {
        std::string problem;
        to.push_back(program ? added_by_hand(program, problem) : absent);
        if (!problem.empty())
            row.note = "by hand: " + problem;
    };
    std::vector<std::function<void()>> turns = {
        [&] { hand(by_hand, of_hand); }, [&] { hand(promised, of_promised); },
        [&] {
            std::string problem;
            of_ours.push_back(added_by_tool(ours, problem));
            (std::isnan(of_ours.back()) ? failed : row.note) = problem;
        },
        [&] {
            std::string ignored; // bpftrace's own losses are shown by its cost alone
            of_bpftrace.push_back(bpftrace ? added_by_tool(*bpftrace, ignored) : absent);
        }};
    std::mt19937 random(1);
    for (int round = 0; round < bench.rounds && failed.empty(); round++) {
        std::shuffle(turns.begin(), turns.end(), random);
        for (const auto& turn : turns)
            turn();
    }
    if (!failed.empty())
        return bench.report.problem(row.what, failed);
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
