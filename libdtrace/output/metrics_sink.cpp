// -x format=openmetrics and format=prometheus: the aggregations as metrics, all of them together each time.
//
// Who reads them wants the whole of now and nothing of before, and may look
// at any moment. So records and printa() are nothing here, and the file of -o is replaced as a whole.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/metric_series.hpp"
#include "libdtrace/output/metric_totals.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {
namespace {

class MetricsSink final : public Sink {
public:
    MetricsSink(const SinkOptions& with, Exposition exposition)
        : exposition_(exposition), output_(with.output), env_(with.env), tells_created_(!with.reproducible),
          common_(common_labels(with.options))
    {
    }

    void begin(const Line&) override {}
    void end(const Line&) override {}
    void value(const Datum&, const uint8_t*) override {}
    void stack(const Datum&, const uint8_t*) override {}
    void symbol(const Datum&, const uint8_t*) override {}
    void formatted(const format::BoundFormat&, const uint8_t*) override {}
    void memory(std::span<const uint8_t>) override {}
    void object(uint64_t, const Type*, std::span<const uint8_t>) override {}
    void packet(const Packet&) override {}
    void aggregations(Tables) override {}
    void aggregations(Tables, std::span<const format::BoundFormat>) override {}
    bool shows_all() const override { return true; }

    void totals(const Totals& totals) override
    {
        page();
        append_totals(*page_, totals, common_);
    }

    void unprinted(const Aggregation& table) override
    {
        const auto now = static_cast<uint64_t>(now_ns(CLOCK_REALTIME));
        MetricSeries* const kept = table.series();
        std::optional<MetricSeries> once;
        if (!kept)
            once.emplace(table.schema(), table.shape(), env_.options, now);
        MetricSeries& series = kept ? *kept : *once;
        series.look(table, env_, now);
        series.append(page(), common_, tells_created_);
    }

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
        format::Text text;
        page().append(text);
        page_.reset();
        output_.replace(text.view());
        has_published_ = true;
    }

    const Exposition exposition_;
    Output& output_;
    const format::Environment& env_;
    const bool tells_created_;
    const std::string common_;
    std::unique_ptr<MetricPage> page_; ///< that is being made
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
