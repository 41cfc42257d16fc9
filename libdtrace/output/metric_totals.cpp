// Reports a countable cause without losses as 0, so that alert rules can distinguish it from an uncountable cause.
#include "libdtrace/output/metric_totals.hpp"

#include <algorithm>
#include <cstdio>

#include "libdtrace/output/metric_messages.hpp"
#include "libdtrace/output/metric_numbers.hpp"

namespace dt::output {
namespace {

constexpr std::string_view kScriptLabel = "script", kCauseLabel = "cause";

} // namespace

std::string common_labels(const PrintOptions& options, std::string_view script)
{
    format::Text labels;
    if (!script.empty())
        append_metric_label(labels, kScriptLabel, script);
    for (const auto& [name, value] : options.labels)
        if (!Metric::is_taken_label(name) && name != kCauseLabel && (script.empty() || name != kScriptLabel))
            append_metric_label(labels, name, value);
    return std::string(labels.view());
}

bool is_common_label(const PrintOptions& options, std::string_view label)
{
    return label == kScriptLabel ||
           std::ranges::any_of(options.labels, [label](const auto& each) { return each.first == label; });
}

void append_totals(MetricPage& page, const Totals& totals, std::string_view common)
{
    MetricFamily& lost = page.family("dtrace_lost", MetricFamily::Kind::Counter, "",
                                     "What was not recorded or counted, by cause (dtrace(8), option ledger)");
    for (const LedgerRow& row : totals.losses) {
        if (row.kind != LossKind::Lost || (!row.countable && row.count == 0))
            continue;
        format::Text cause;
        append_metric_label(cause, kCauseLabel, row.cause);
        if (page.exposition() == Exposition::Messages) {
            append_number_message(lost, common, cause.view(), static_cast<double>(row.count));
            continue;
        }
        format::Text& out = MetricLines(lost, "_total", common, cause.view()).begin({});
        append_metric_unsigned(out, row.count);
        out.append('\n');
    }
    MetricFamily& mean =
        page.family("dtrace_weight", MetricFamily::Kind::Gauge, "",
                    "Firings that each one that was taken stands for, in the mean (dtrace(8), option maxcost)");
    if (page.exposition() == Exposition::Messages)
        return append_number_message(mean, common, {}, totals.weight.value_or(1));
    char weight[32];
    std::snprintf(weight, sizeof weight, "%.6g", totals.weight.value_or(1));
    format::Text& out = MetricLines(mean, "", common).begin({});
    out.append(weight);
    out.append('\n');
}

} // namespace dt::output
