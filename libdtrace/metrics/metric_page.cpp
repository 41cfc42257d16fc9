// Implements the text formats of metrics, and the metrics about the trace itself. OpenMetrics and the format of
// Prometheus differ in the suffix of counter names, in units, and in the last line.
#include "libdtrace/metrics/metric_page.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "libdtrace/metrics/metric_messages.hpp"

namespace dt::output {
namespace {

using format::Text;

constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // the character U+FFFD, which replaces invalid UTF-8

void append_metric_escaped(Text& out, std::string_view text, bool escapes_quotes)
{
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = static_cast<unsigned char>(c) < 0x80 ? 1 : utf8_length(text);
        if (c == '\\')
            out.append("\\\\");
        else if (c == '\n')
            out.append("\\n");
        else if (c == '"' && escapes_quotes)
            out.append("\\\"");
        else if (length == 0)
            out.append(kReplacement);
        else
            out.append(text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

std::string_view word_of_kind(MetricFamily::Kind kind)
{
    switch (kind) {
    case MetricFamily::Kind::Counter:
        return "counter";
    case MetricFamily::Kind::Gauge:
        return "gauge";
    case MetricFamily::Kind::Summary:
        return "summary";
    case MetricFamily::Kind::Histogram:
        return "histogram";
    }
    return "unknown";
}

} // namespace

std::string_view content_type(Exposition exposition)
{
    switch (exposition) {
    case Exposition::OpenMetrics:
        return "application/openmetrics-text; version=1.0.0; charset=utf-8";
    case Exposition::Messages:
        return "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";
    case Exposition::Prometheus:
        break;
    }
    return "text/plain; version=0.0.4; charset=utf-8";
}

void append_metric_label(Text& out, std::string_view name, std::string_view value)
{
    if (!out.empty())
        out.append(',');
    out.append(name);
    out.append("=\"");
    append_metric_escaped(out, value, true);
    out.append('"');
}

void for_each_metric_label(std::string_view labels, const VisitLabel& visit)
{
    std::string text;
    while (!labels.empty()) {
        const std::string_view name = labels.substr(0, labels.find('='));
        labels.remove_prefix(name.size() + 2);
        text.clear();
        std::size_t at = 0;
        for (; labels[at] != '"'; ++at) {
            const bool is_escaped = labels[at] == '\\';
            at += is_escaped ? 1 : 0;
            text += is_escaped && labels[at] == 'n' ? '\n' : labels[at];
        }
        labels.remove_prefix(at + 1);
        if (labels.starts_with(','))
            labels.remove_prefix(1);
        visit(name, text);
    }
}

MetricLines::MetricLines(MetricFamily& family, std::string_view end, std::string_view common, std::string_view more)
    : to_(family.samples_), head_(family.name()), tail_(common)
{
    head_ += end;
    if (!common.empty() && !more.empty())
        tail_ += ',';
    tail_ += more;
}

/// Returns the description of the metric. In the description of a counter, the format OpenMetrics requires the name
/// without the suffix "_total"; the other formats require it with the suffix.
std::string MetricFamily::head(Exposition exposition) const
{
    const bool is_open = exposition == Exposition::OpenMetrics;
    const std::string name = name_ + (kind_ == Kind::Counter && !is_open ? "_total" : "");
    if (exposition == Exposition::Messages)
        return delimited_family(name, kind_, unit_, help_, samples_.view());
    Text said;
    const auto line = [&](std::string_view what, std::string_view text, bool is_help) {
        said.append(what);
        said.append(name);
        said.append(' ');
        append_metric_escaped(said, text, is_help && is_open);
        said.append('\n');
    };
    line("# TYPE ", word_of_kind(kind_), false);
    if (is_open && !unit_.empty())
        line("# UNIT ", unit_, false);
    line("# HELP ", help_, true);
    return std::string(said.view());
}

MetricFamily& MetricPage::family(const std::string& name, MetricFamily::Kind kind, const std::string& unit,
                                 const std::string& help, const std::string& other)
{
    std::string called = name;
    auto found = families_.find(called);
    while (found != families_.end() && found->second.kind() != kind) {
        called += "_" + other;
        found = families_.find(called);
    }
    if (found != families_.end())
        return found->second;
    // OpenMetrics permits a unit only if the metric's name ends with the unit.
    const bool has_unit = !unit.empty() && called.ends_with("_" + unit);
    return families_.try_emplace(called, called, kind, has_unit ? unit : "", help).first->second;
}

std::vector<std::string_view> MetricPage::parts()
{
    std::vector<std::string_view> parts;
    heads_.clear();
    for (const auto& [name, family] : families_) {
        parts.push_back(heads_.emplace_back(family.head(exposition_)));
        if (exposition_ != Exposition::Messages)
            parts.push_back(family.samples());
    }
    if (exposition_ == Exposition::OpenMetrics)
        parts.push_back("# EOF\n");
    return parts;
}

std::string MetricPage::text()
{
    std::string all;
    for (const std::string_view part : parts())
        all += part;
    return all;
}

// Writes the metrics about losses. A drop reason with the value 0 was counted, but nothing was lost for this reason. A
// drop reason that the kernel cannot count is absent. So alert rules can distinguish the two cases.

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
                                     "Firings and records that were lost, by cause (dtrace(8), option drops)");
    for (const DropRow& row : totals.losses) {
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
                    "Mean number of firings that each traced firing represents (dtrace(8), option maxcost)");
    if (page.exposition() == Exposition::Messages)
        return append_number_message(mean, common, {}, totals.weight.value_or(1));
    char weight[32];
    std::snprintf(weight, sizeof weight, "%.6g", totals.weight.value_or(1));
    format::Text& out = MetricLines(mean, "", common).begin({});
    out.append(weight);
    out.append('\n');
}

} // namespace dt::output
