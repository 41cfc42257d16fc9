// A page of metrics as systems of metrics read it: OpenMetrics 1.0, the text format of Prometheus, which is older, or
// messages of io.prometheus.client, which native histograms need.
//
// Samples of a metric must stand together, below what is said of it once. Aggregations of several traces may be one
// metric, so a page is put together in families, and written when it is whole.
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

    /// So many bytes of samples will come.
    void expect(std::size_t bytes) { samples_.room(bytes); }
    std::size_t size() const { return samples_.size(); }
    /// For messages instead: the field of a sample, whole.
    void add_message(std::string_view field) { samples_.append(field); }
    /// What is said of it in front of its samples; messages are all in there.
    std::string head(Exposition exposition) const;
    std::string_view samples() const { return samples_.view(); }

private:
    friend class MetricLines;
    std::string name_, unit_, help_;
    Kind kind_;
    format::Text samples_;
};

/// Samples of a family whose names end alike. What they have in common is put together once: there may be 10,000.
class MetricLines {
public:
    /// `common` and `more`: labels of all of them, each of which may be empty.
    MetricLines(MetricFamily& family, std::string_view end, std::string_view common, std::string_view more = {});

    /// Begins one, with labels of its own in front, if it has any. The number and a line end follow.
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
    /// The family of that name. Where there is one of another kind, it is called `name`_`other`.
    MetricFamily& family(const std::string& name, MetricFamily::Kind kind, const std::string& unit,
                         const std::string& help, const std::string& other = "other");
    /// Nothing is added any more: what it consists of, in that order. The page has these texts.
    std::vector<std::string_view> parts();
    std::string text();
    bool empty() const { return families_.empty(); }

private:
    Exposition exposition_;
    std::map<std::string, MetricFamily> families_;
    std::deque<std::string> heads_; ///< of parts()
};

} // namespace dt::output
