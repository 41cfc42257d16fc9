// Rows for user-space functions: cost of a firing at the entry, the return and inside a function; cost of attaching and
// detaching a thousand probes.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "test/bench/hand.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kRounds = 5;

// Runs a program that calls the traced function and prints ns per call. Returns this number; absent if the program
// fails.
double time_of(const std::vector<std::string>& words)
{
    const Usage usage = Tool(words).wait();
    return usage.status == 0 ? std::strtod(usage.out.c_str(), nullptr) : absent;
}

double hot_by_dtrace(const Bench& bench, const std::string& probe)
{
    return time_of({bench.dtrace, "-qn",
                    "pid$target:a.out:hot_function:" + probe + " { @ = count(); } END { trunc(@); }", "-c",
                    bench.progs + "/hot"});
}

double hot_by_hand(const Bench& bench, std::string& problem)
{
    const std::string program = bench.progs + "/hot";
    const auto offset = static_cast<std::size_t>(time_of({program, "offset"}));
    const Hand hand("user_function", program, offset);
    problem = hand.problem();
    return problem.empty() ? time_of({program}) : absent;
}

} // namespace

void measure_user(const Bench& bench)
{
    double untraced = absent, hand = absent, entry = absent, first = absent, leave = absent;
    std::string problem;
    for (int round = 0; round < kRounds; round++) {
        untraced = std::fmin(untraced, time_of({bench.progs + "/hot"}));
        hand = std::fmin(hand, hot_by_hand(bench, problem));
        entry = std::fmin(entry, hot_by_dtrace(bench, "entry"));
        first = std::fmin(first, hot_by_dtrace(bench, "0"));
        leave = std::fmin(leave, hot_by_dtrace(bench, "return"));
    }
    if (!problem.empty())
        bench.report.problem("a program at a user function", problem);
    bench.report.add({"a call of endbr64, push, pop, ret, untraced", "ns/call", untraced, absent, absent, "", absent,
                      absent, absent, false, ""});
    bench.report.add({"  + pid$target:a.out:hot_function:entry { @ = count(); }", "ns/call", entry - untraced,
                      hand - untraced, absent, "<= 1.05 x by hand", absent, 1.05, absent, false,
                      "by hand at the push"});
    bench.report.add({"  + the same on its first byte, endbr64", "ns/call", first - untraced, absent, absent, "",
                      absent, absent, absent, false, ""});
    bench.report.add(
        {"  + at its return", "ns/call", leave - untraced, absent, absent, "", absent, absent, absent, false, ""});
}

void measure_user_attach(const Bench& bench)
{
    // Measures two times. Attaching: how much later BEGIN runs for a script with a thousand probes than for a script
    // without probes. Detaching: the time from BEGIN, in which the script calls exit(), to END.
    const auto times = [&](const std::string& probes) {
        Tool tool({bench.dtrace, "-qn", probes + "BEGIN, END { printf(\"%d\\n\", timestamp); } BEGIN { exit(0); }",
                   "-c", bench.progs + "/thousand 1"});
        std::istringstream out(tool.wait().out);
        long long begin = 0, end = 0;
        out >> begin >> end;
        return std::pair(static_cast<double>(begin - tool.started_ns()) / 1e6, static_cast<double>(end - begin) / 1e6);
    };
    std::pair<double, double> without{absent, absent}, with{absent, absent};
    for (int round = 0; round < kRounds; round++) {
        const auto none = times(""), thousand = times("pid$target:a.out:f[0-9]*:entry { @[probefunc] = count(); } ");
        without = {std::fmin(without.first, none.first), std::fmin(without.second, none.second)};
        with = {std::fmin(with.first, thousand.first), std::fmin(with.second, thousand.second)};
    }
    bench.report.add({"1,000 functions of a process, attached (compiled, loaded)", "ms", with.first - without.first,
                      absent, absent, "<= 500 ms", 500, absent, absent, false, ""});
    bench.report.add({"  and detached", "ms", with.second - without.second, absent, absent, "<= 200 ms", 200, absent,
                      absent, false, ""});
}

} // namespace dt::bench
