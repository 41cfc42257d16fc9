// Measures the overhead of -x cost itself. The overhead is too small to compare two processes: they differ by some
// percent, and one process differs as much from itself at another time. So all variants alternate within milliseconds,
// in one process and on one task.
//
// Four variants are measured: no trace; a trace without -x cost; a trace with -x cost whose timing switches are off, so
// that firings are not timed; the same with timing switches on.
//
// If a script has more than 50,000 firings per second, dtrace switches timing on for only a hundredth of the time
// (libdtrace/cost/sampling_windows.hpp). A median over milliseconds would miss these moments. So the overhead is
// computed: the overhead with switches off, plus a hundredth of what switching them on adds.
// The placement of programs in memory changes results by some percent for as long as the programs are loaded. So each
// script is loaded often, at different addresses and with either variant first. The spread of the results is the
// measurement error.
#include "test/bench/cost_gates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/cost/sampling_windows.hpp"
#include "test/bench/cost_row.hpp"
#include "test/bench/gated_trace.hpp"
#include "test/bench/machine.hpp"
#include "test/bench/spacers.hpp"
#include "test/bench/table.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

namespace {

constexpr int kGateRuns = 21; // number of runs of 500 calls in each measurement
// How often each script is loaded and measured. Results differ by a percent between two loadings, but half a percent is
// the required accuracy.
constexpr int kGateLoads = 16;
// The number of rounds after each loading of a script is --rounds divided by this number.
constexpr int kOfRounds = 4;
constexpr double kGateAsk = 0.5, kAll = 100; // required accuracy in percent; factor from fractions to percent

std::unique_ptr<GatedTrace> start(const CostRow& row, bool has_cost)
{
    auto made = GatedTrace::start({row.script_path, row.script}, has_cost ? "cost" : "");
    if (made && has_cost)
        made->trace().time_firings(false);
    return made;
}

/// ns that each traced variant adds to a call, one element per round.
struct Added {
    std::vector<double> plain, off, on;
};

/// Measures all variants once and appends the results to `added`.
void measure_gates(Added& added, Trace& plain, Trace& cost, TurnsLoop& loop, bool is_cost_first)
{
    const double untraced = loop.time();
    const auto take_plain = [&] {
        (void)plain.set_attached(true);
        added.plain.push_back(loop.time() - untraced);
        (void)plain.set_attached(false);
    };
    if (!is_cost_first)
        take_plain();
    (void)cost.set_attached(true);
    added.off.push_back(loop.time() - untraced);
    cost.time_firings(true);
    added.on.push_back(loop.time() - untraced);
    cost.time_firings(false);
    (void)cost.set_attached(false);
    if (is_cost_first)
        take_plain();
}

/// Loads a script and measures it. Returns the results, or nothing if the script cannot be traced.
std::optional<Added> measure_load(const CostRow& row, int rounds, unsigned number)
{
    const bool is_cost_first = number % 2 != 0;
    const Spacers spacers(number);
    TurnsLoop loop(kGateRuns);
    auto first = start(row, is_cost_first), second = start(row, !is_cost_first);
    const auto &plain = is_cost_first ? second : first, &cost = is_cost_first ? first : second;
    if (!plain || !cost || !make_steady(loop, contender(*plain)) || !make_steady(loop, contender(*cost)))
        return {};
    Added added;
    for (int round = 0; round < rounds; ++round) {
        measure_gates(added, plain->trace(), cost->trace(), loop, round % 2 != 0);
        for (Trace* const each : {&plain->trace(), &cost->trace()}) // reads the records, so that buffers do not fill up
            if (!each->pass())
                return {};
    }
    return added;
}

struct MeanOfLoads {
    double value = 0, error = 0; ///< mean over all loadings of a script, and its standard error
};

MeanOfLoads mean_of_loads(const std::vector<double>& values)
{
    MeanOfLoads mean;
    for (const double value : values)
        mean.value += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - mean.value) * (value - mean.value);
    const auto count = static_cast<double>(values.size());
    mean.error = values.size() > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
    return mean;
}

/// Additional cost that -x cost causes, in percent of the script's cost without -x cost.
struct Percent {
    std::vector<double> off, on, all; ///< one value for each loading of the script
};

void print_gates(const std::string& name, double plain, const Percent& percent)
{
    const MeanOfLoads off = mean_of_loads(percent.off), on = mean_of_loads(percent.on),
                      all = mean_of_loads(percent.all);
    std::printf("| %s | %s | %+.2f ± %.2f %% | %+.1f %% | %+.2f ± %.2f %% | %s |\n", name.c_str(),
                number(plain).c_str(), off.value, off.error, on.value, all.value, all.error,
                all.value <= kGateAsk ? "yes" : "NO");
    std::fflush(stdout);
}

} // namespace

void measure_cost_gates(const Bench& bench)
{
    const int rounds = std::max(1, bench.rounds / kOfRounds);
    std::printf("Load at begin %.1f. %d loads of %d rounds. ± is one standard error, of loads. Asked: %.1f %%.\n\n",
                load(), kGateLoads, rounds, kGateAsk);
    std::printf("| script | without, ns a call | timing switches off add | on add | -x cost adds | within %.1f %% "
                "|\n|---|---|---|---|---|---|\n",
                kGateAsk);
    Percent sum;
    for (const CostRow& row : cost_rows()) {
        const auto& chosen = bench.cost_rows;
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), row.name) == chosen.end())
            continue;
        Percent percent;
        double plain = 0;
        for (int i = 0; i < kGateLoads; ++i) {
            const std::optional<Added> added = measure_load(row, rounds, static_cast<unsigned>(i));
            if (!added)
                continue;
            const double off = kAll * (ratio_of(added->off, added->plain).value - 1),
                         on = kAll * (ratio_of(added->on, added->off).value - 1);
            percent.off.push_back(off);
            percent.on.push_back(on);
            percent.all.push_back(off + on / WindowedCounts::kWeight);
            plain += figure_of(added->plain).value;
        }
        if (percent.all.empty()) {
            std::printf("| %s | could not be measured | | | | |\n", row.name.c_str());
            continue;
        }
        print_gates(row.name, plain / static_cast<double>(percent.all.size()), percent);
        for (auto what : {&Percent::off, &Percent::on, &Percent::all})
            (sum.*what).insert((sum.*what).end(), (percent.*what).begin(), (percent.*what).end());
    }
    if (!sum.all.empty())
        print_gates("**all**", NAN, sum);
    std::printf("\nLoad at end %.1f.\n", load());
}

} // namespace dt::bench
