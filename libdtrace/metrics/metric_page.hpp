// A page of metrics for a monitoring system, in one of three formats: OpenMetrics 1.0; the older text format of
// Prometheus; io.prometheus.client messages, which native histograms need.
//
// All samples of a metric must follow its description. Aggregations of several traces may share one metric. So the page
// first collects the samples of each metric in a family, and is written when it is complete.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/format/text.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/results/drop_report.hpp"

namespace dt::output {

enum class Exposition : uint8_t { OpenMetrics, Prometheus, Messages };

/// Returns the value of the HTTP header Content-Type.
std::string_view content_type(Exposition exposition);

/// Appends the label `name="value"`, with the value escaped. If `out` is not empty, a comma precedes the label. Invalid
/// UTF-8 becomes U+FFFD.
void append_metric_label(format::Text& out, std::string_view name, std::string_view value);
/// Parses the output of append_metric_label() and calls `visit` for each label.
using VisitLabel = std::function<void(std::string_view name, std::string_view value)>;
void for_each_metric_label(std::string_view labels, const VisitLabel& visit);

class MetricFamily {
public:
    enum class Kind : uint8_t { Counter, Gauge, Summary, Histogram };

    MetricFamily(std::string name, Kind kind, std::string unit, std::string help)
        : name_(std::move(name)), unit_(std::move(unit)), help_(std::move(help)), kind_(kind)
    {
    }

    const std::string& name() const { return name_; }
    Kind kind() const { return kind_; }

    /// Reserves room for `bytes` more bytes of samples.
    void expect(std::size_t bytes) { samples_.room(bytes); }
    std::size_t size() const { return samples_.size(); }
    /// Appends a sample that is already encoded as a field of the metric family's message (Exposition::Messages).
    void add_message(std::string_view field) { samples_.append(field); }
    /// Returns the description that precedes the samples; in the format Messages the samples are part of the
    /// description.
    std::string head(Exposition exposition) const;
    std::string_view samples() const { return samples_.view(); }

private:
    friend class MetricLines;
    std::string name_, unit_, help_;
    Kind kind_;
    format::Text samples_;
};

/// Writes those samples of a metric family whose names have the same suffix. The common parts of all lines are built
/// only once, because a family may have 10,000 samples.
class MetricLines {
public:
    /// `common` and `more` are labels that every sample gets; each may be empty.
    MetricLines(MetricFamily& family, std::string_view end, std::string_view common, std::string_view more = {});

    /// Begins the line of a sample with the metric family's name, `labels`, and the labels that every sample gets. The
    /// caller appends the number and a newline.
    format::Text& begin(std::string_view labels)
    {
        const std::size_t most = head_.size() + labels.size() + tail_.size() + 4;
        char* at = to_.room(most);
        const char* const begin = at;
        const auto copy = [&at](std::string_view text) {
            std::memcpy(at, text.data(), text.size());
            at += text.size();
        };
        copy(head_);
        if (!labels.empty() || !tail_.empty()) {
            *at++ = '{';
            copy(labels);
            if (!labels.empty() && !tail_.empty())
                *at++ = ',';
            copy(tail_);
            *at++ = '}';
        }
        *at++ = ' ';
        to_.advance(static_cast<std::size_t>(at - begin));
        return to_;
    }

private:
    format::Text& to_;
    std::string head_, tail_;
};

class MetricPage {
public:
    explicit MetricPage(Exposition exposition) : exposition_(exposition) {}

    Exposition exposition() const { return exposition_; }
    /// Returns the metric family `name`, and creates it if needed. If a family of another kind already has this name,
    /// returns the family `name`_`other` instead.
    MetricFamily& family(const std::string& name, MetricFamily::Kind kind, const std::string& unit,
                         const std::string& help, const std::string& other = "other");
    /// Returns the parts of the finished page in their order. The page owns their text, so nothing may be added to it
    /// afterwards.
    std::vector<std::string_view> parts();
    std::string text();
    bool empty() const { return families_.empty(); }

private:
    Exposition exposition_;
    std::map<std::string, MetricFamily> families_;
    std::deque<std::string> heads_; ///< descriptions of the metric families; parts() returns views of these
};

// Metrics about the trace itself, which a page has in addition to its aggregations.

/// Returns the labels that all samples have: those of -x labels and, in a service, the script's name. Omits labels that
/// monitoring systems reserve, and labels of dtrace_lost_total.
std::string common_labels(const PrintOptions& options, std::string_view script = {});
/// Returns whether common_labels() contains this label. A key must not have the name of such a label, because a sample
/// can have a label only once.
bool is_common_label(const PrintOptions& options, std::string_view label);

/// Appends dtrace_lost_total for each drop reason whose losses this system can count. Also appends dtrace_weight, the
/// number of firings that each counted firing represents.
void append_totals(MetricPage& page, const Totals& totals, std::string_view common);

} // namespace dt::output
