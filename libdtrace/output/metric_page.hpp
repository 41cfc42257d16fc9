// A page of metrics as systems of metrics read it: OpenMetrics 1.0, the text format of Prometheus, which is older, or
// messages of io.prometheus.client, which native histograms need.
//
// Samples of a metric must stand together, below what is said of it once. Aggregations of several traces may be one
// metric, so a page is put together in families, and written when it is whole.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::output {

enum class Exposition : uint8_t { OpenMetrics, Prometheus, Messages };

/// As HTTP calls it.
std::string_view content_type(Exposition exposition);

/// Behind what is there: `name="value"`, escaped, with a comma in front where something is there already. What is no
/// UTF-8 becomes U+FFFD.
void append_metric_label(format::Text& out, std::string_view name, std::string_view value);
/// What append_metric_label() wrote, read.
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

    /// Begins a sample: the name, what stands behind it, and labels, of which each part may be empty. The number and a
    /// line end follow.
    format::Text& begin(std::string_view end, std::string_view labels, std::string_view more = {});
    /// For messages instead: the field of a sample, whole.
    void add_message(std::string_view field) { samples_.append(field); }
    void append(format::Text& out, Exposition exposition) const;

private:
    std::string name_, unit_, help_;
    Kind kind_;
    format::Text samples_;
};

class MetricPage {
public:
    explicit MetricPage(Exposition exposition) : exposition_(exposition) {}

    Exposition exposition() const { return exposition_; }
    /// The family of that name. Where there is one of another kind, it is called `name`_`other`.
    MetricFamily& family(const std::string& name, MetricFamily::Kind kind, const std::string& unit,
                         const std::string& help, const std::string& other = "other");
    /// The whole of it.
    void append(format::Text& out) const;
    bool empty() const { return families_.empty(); }

private:
    Exposition exposition_;
    std::map<std::string, MetricFamily> families_;
};

} // namespace dt::output
