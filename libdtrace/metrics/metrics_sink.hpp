// Base of the sinks that output aggregations as metrics. These sinks ignore records and printa().
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

class MetricSink : public TableSink {
public:
    bool shows_all() const override { return true; }

    void unprinted(const Aggregation& table) final
    {
        const auto now = static_cast<uint64_t>(now_ns(CLOCK_REALTIME));
        MetricSeries* const kept = table.series();
        std::optional<MetricSeries> once;
        if (!kept)
            once.emplace(table.schema(), table.shape(), env_.options, now);
        MetricSeries& series = kept ? *kept : *once;
        series.update(table, env_, now);
        tell(series, now);
    }

protected:
    explicit MetricSink(const SinkOptions& with) : output_(with.output), env_(with.env) {}
    /// Outputs all time series with their values at the time `now` (CLOCK_REALTIME ns).
    virtual void tell(const MetricSeries& series, uint64_t now) = 0;

    Output& output_;
    const format::Environment& env_;
};

} // namespace dt::output
