// The cost of an event to the traced loop: differences to the same loop untraced, measured next to it.
#include "test/bench/cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "test/bench/hand.hpp"
#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

// Waits until the loop is clearly slower than untraced, three times in a row (once may be noise): the tracer that has just been started is
// active. False when it ended, or did nothing for ten seconds.
bool wait_until_slower(double untraced, const Tool& tool)
{
    using namespace std::chrono_literals;
    auto until = std::chrono::steady_clock::now() + 10s;
    for (int in_a_row = 0; in_a_row<3; in_a_row = ns_per_call(30)> untraced * 1.1 ? in_a_row + 1 : 0) {
        if (!tool.running() || std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

// Nanoseconds a call that `tool` adds to the loop. Its output goes to /dev/null: what a terminal costs is not ours to measure.
double added_by(const Words& words, std::string& problem)
{
    double untraced = ns_per_call();
    Tool tool(words, "/dev/null");
    if (!wait_until_slower(untraced, tool)) {
        problem = words[0] + " had no effect: " + tool.interrupt().err;
        return absent;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // its start-up work is over
    double traced = ns_per_call();
    auto usage = tool.interrupt();
    untraced = std::min(untraced, ns_per_call());
    if (usage.err.find("drop") != std::string::npos || usage.err.find("ost ") != std::string::npos)
        problem = words[0] + ": " + usage.err.substr(0, 120);
    return traced - untraced;
}

} // namespace

double added_by_hand(const std::string& program, std::string& problem)
{
    double untraced = ns_per_call();
    double traced;
    {
        Hand hand(program);
        problem = hand.problem();
        traced = ns_per_call();
        if (hand.lost_records())
            problem = "records were lost";
    }
    return problem.empty() ? traced - std::min(untraced, ns_per_call()) : absent;
}

void measure_cost(Row row, const char* hand_program, const Words& ours, const std::optional<Words>& bpftrace)
{
    const int rounds = 3;
    for (int i = 0; i < rounds; i++) {
        std::string problem;
        row.hand = std::fmin(row.hand, added_by_hand(hand_program, problem));
        if (!problem.empty())
            std::printf("    by hand: %s\n", problem.c_str());
        problem.clear();
        double cost = added_by(ours, problem);
        if (std::isnan(cost))
            return print_problem(row.what, problem);
        row.ours = std::fmin(row.ours, cost);
        row.note = problem;
        if (bpftrace && i < 2) {
            std::string ignored; // bpftrace's own losses are shown by its cost alone
            row.bpftrace = std::fmin(row.bpftrace, added_by(*bpftrace, ignored));
        }
    }
    print_row(row);
}

} // namespace dt::bench
