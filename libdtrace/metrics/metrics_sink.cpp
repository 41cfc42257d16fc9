// Sink of -x format=openmetrics and format=prometheus: a page with all aggregations as metrics.
//
// Readers of metrics want only the current values and may read at any moment. So the sink ignores records and printa(),
// and replaces the file of -o atomically.
#include <memory>
#include <string>

#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/metrics/metrics_sink.hpp"

namespace dt::output {
namespace {

class MetricsSink final : public MetricSink {
public:
    MetricsSink(const SinkOptions& with, Exposition exposition)
        : MetricSink(with), exposition_(exposition), writes_created_(!with.reproducible),
          common_(common_labels(with.options))
    {
    }

    void totals(const Totals& totals) override
    {
        page();
        append_totals(*page_, totals, common_);
    }

    void tell(const MetricSeries& series, uint64_t) override { series.append(page(), common_, writes_created_); }

    void end_snapshot() override { publish(); }
    void finish() override
    {
        if (page_ || !has_published_)
            publish();
    }

private:
    MetricPage& page()
    {
        if (!page_)
            page_ = std::make_unique<MetricPage>(exposition_);
        return *page_;
    }

    void publish()
    {
        const std::string text = page().text();
        page_.reset();
        output_.replace(text);
        has_published_ = true;
    }

    const Exposition exposition_;
    const bool writes_created_;
    const std::string common_;
    std::unique_ptr<MetricPage> page_; ///< the page under construction
    bool has_published_ = false;
};

} // namespace

std::unique_ptr<Sink> make_openmetrics_sink(const SinkOptions& with)
{
    return std::make_unique<MetricsSink>(with, Exposition::OpenMetrics);
}

std::unique_ptr<Sink> make_prometheus_sink(const SinkOptions& with)
{
    return std::make_unique<MetricsSink>(with, Exposition::Prometheus);
}

} // namespace dt::output
