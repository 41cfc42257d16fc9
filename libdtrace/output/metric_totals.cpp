// A cause that lost nothing is 0, so that a rule can tell it from one that nobody counts.
#include "libdtrace/output/metric_totals.hpp"

#include <cstdio>

#include "libdtrace/output/metric_numbers.hpp"

namespace dt::output {

std::string common_labels(const PrintOptions& options)
{
    format::Text labels;
    for (const auto& [name, value] : options.labels)
        append_metric_label(labels, name, value);
    return std::string(labels.view());
}

void append_totals(MetricPage& page, const Totals& totals, std::string_view common)
{
    MetricFamily& lost = page.family("dtrace_lost", MetricFamily::Kind::Counter, "",
                                     "What was not recorded or counted, by cause (dtrace(8), option ledger)");
    for (const LedgerRow& row : totals.losses) {
        if (row.kind != LossKind::Lost || (!row.countable && row.count == 0))
            continue;
        format::Text cause;
        append_metric_label(cause, "cause", row.cause);
        format::Text& out = lost.begin("_total", common, cause.view());
        append_metric_unsigned(out, row.count);
        out.append('\n');
    }
    char weight[32];
    std::snprintf(weight, sizeof weight, "%.6g", totals.weight.value_or(1));
    format::Text& out =
        page.family("dtrace_weight", MetricFamily::Kind::Gauge, "",
                    "Firings that each one that was taken stands for, in the mean (dtrace(8), option maxcost)")
            .begin("", common);
    out.append(weight);
    out.append('\n');
}

} // namespace dt::output
