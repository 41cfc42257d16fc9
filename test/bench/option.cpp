#include "test/bench/option.hpp"

#include <algorithm>
#include <cstdio>

#include "test/bench/cost.hpp"
#include "test/bench/cost_row.hpp"
#include "test/bench/report.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

void measure_option(const Bench& bench, const std::string& option)
{
    std::printf(
        "| script | without | with -x %s, ns a call | with / without: median | quartiles |\n|---|---|---|---|---|\n",
        option.c_str());
    for (const CostRow& cost : cost_rows()) {
        const auto& chosen = bench.cost_rows;
        if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), cost.name) == chosen.end())
            continue;
        std::vector<double> without, with;
        std::string problem;
        for (int round = 0; round < bench.rounds; ++round) {
            without.push_back(added_by_tool({bench.dtrace, "-qs", cost.script_path}, problem));
            with.push_back(added_by_tool({bench.dtrace, "-x", option, "-qs", cost.script_path}, problem));
        }
        const Figure ratio = ratio_of(with, without);
        std::printf("| %s | %.1f | %.1f | %.3f | %.3f to %.3f |\n", cost.name.c_str(), figure_of(without).value,
                    figure_of(with).value, ratio.value, ratio.low, ratio.high);
        std::fflush(stdout);
    }
}

} // namespace dt::bench
