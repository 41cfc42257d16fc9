// Measures the cost table: each script of cost/ in comparison with hand-written C and bpftrace.
#include <algorithm>
#include <cstdlib>

#include "test/bench/cost.hpp"
#include "test/bench/cost_row.hpp"
#include "test/bench/report.hpp"
#include "test/bench/rows.hpp"

namespace dt::bench {

namespace {

constexpr double kMaxOfHand = 1.10, kMaxOfBpftrace = 0.7;

} // namespace

void measure_cost_table(const Bench& bench)
{
    setenv("BPFTRACE_STRLEN", "200", 1); // maximum size of strings in bpftrace, in bytes; in dtrace it is 256
    // Buffers of 64 MiB per CPU, as for the D scripts. Losing a record takes less time than writing it, so with small
    // buffers bpftrace would seem faster.
    setenv("BPFTRACE_PERF_RB_PAGES", "16384", 1);
    for (const CostRow& cost : cost_rows()) {
        if (!bench.cost_rows.empty() &&
            std::find(bench.cost_rows.begin(), bench.cost_rows.end(), cost.name) == bench.cost_rows.end())
            continue;
        Row row;
        row.what = cost.name + ": " + cost.what;
        row.unit = "ns/call";
        row.budget = "<= 1.10 x by hand, <= 0.7 x bpftrace";
        row.hand_ratio = kMaxOfHand;
        row.bpftrace_ratio = kMaxOfBpftrace;
        row.promises = cost.promises;
        measure_cost(bench, row, object_by_hand(cost.object), {cost.script_path, cost.script},
                     bench.bpftrace ? std::optional(Words{"bpftrace", cost.bpftrace_path}) : std::nullopt,
                     cost.promises.empty() ? ByHand() : object_by_hand(cost.promised));
    }
}

} // namespace dt::bench
