#include "test/bench/option.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "test/bench/cost_row.hpp"
#include "test/bench/report.hpp"
#include "test/bench/table.hpp"
#include "test/bench/turns.hpp"

namespace dt::bench {

namespace {

/// Prints the mean and the standard error of the ratios with/without the option over all rounds, in percent. The ratio
/// of a single row is not enough: two measurements of one row differ by more than the option should add.
void print_mean(const std::vector<double>& ratios)
{
    double sum = 0, squares = 0;
    for (const double ratio : ratios)
        sum += ratio;
    const auto count = static_cast<double>(ratios.size());
    const double mean = sum / count;
    for (const double ratio : ratios)
        squares += (ratio - mean) * (ratio - mean);
    if (ratios.size() > 1)
        std::printf("\nAll rows, each round counted: %+.2f %%, standard error %.2f %%.\n", 100 * (mean - 1),
                    100 * std::sqrt(squares / (count - 1) / count));
}

} // namespace

void measure_option(const Bench& bench, const std::string& option)
{
    std::printf(
        "| script | without | with -x %s, ns a call | with / without: median | quartiles |\n|---|---|---|---|---|\n",
        option.c_str());
    std::vector<double> ratios;
    for (const CostRow& cost : cost_rows()) {
        const auto& chosen = bench.cost_rows;
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), cost.name) == chosen.end())
            continue;
        std::vector<double> without, with;
        const TracedScript script{cost.script_path, cost.script};
        for (int round = 0; round < bench.rounds; ++round) {
            TurnsLoop loop;
            const auto plain = GatedTrace::start(script), other = GatedTrace::start(script, option);
            if (!plain || !other) {
                std::fprintf(stderr, "%s: cannot be traced\n", cost.name.c_str());
                continue;
            }
            const auto added = take_turns(loop, {contender(*plain), contender(*other)}, static_cast<unsigned>(round));
            without.push_back(added[0]);
            with.push_back(added[1]);
        }
        for (std::size_t i = 0; i < with.size(); ++i)
            if (const double ratio = with[i] / without[i]; std::isfinite(ratio))
                ratios.push_back(ratio);
        const Figure ratio = ratio_of(with, without);
        std::printf("| %s | %.1f | %.1f | %.3f | %.3f to %.3f |\n", cost.name.c_str(), figure_of(without).value,
                    figure_of(with).value, ratio.value, ratio.low, ratio.high);
        std::fflush(stdout);
    }
    print_mean(ratios);
}

} // namespace dt::bench
