// Prints aggregations while the trace continues: the screens of --top, the snapshots of -x aggevery, and snapshots
// requested by a signal. Printing does not clear the values, unless an option requests it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/result.hpp"
#include "libdtrace/aggregations/aggregations.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

/// The schedule of snapshots. Times are CLOCK_MONOTONIC ns.
class Snapshots {
public:
    using TotalsFunction = std::function<output::Totals()>;

    /// All arguments must outlive this object.
    Snapshots(const Options& options, Output& output, output::Sink& sink, Aggregations& aggregations,
              TotalsFunction totals)
        : options_(options), output_(output), sink_(sink), aggregations_(aggregations), totals_(std::move(totals))
    {
    }

    /// Sets the start time of tracing.
    void begin(uint64_t now) { last_ = now; }
    /// Requests a snapshot in the next pass.
    void ask() { asked_ = true; }
    bool is_asked() const { return asked_; }

    /// is_due() returns whether show() would print a snapshot now. due() returns the time of the next snapshot that is
    /// printed without a request, or UINT64_MAX if there is none.
    bool is_due(uint64_t now) const { return asked_ || now >= due(); }
    uint64_t due() const;

    /// Prints the snapshots that are due; call it after the records of the pass.
    Result<void> show(uint64_t now);
    /// Prints the aggregations that no printa() has printed. Must be called after the last record. With aggevery these
    /// aggregations are printed as one more snapshot of the series.
    Result<void> finish(uint64_t now);

private:
    uint64_t next() const;
    Result<void> show_all(uint64_t now);
    Result<void> empty(AfterShown then);
    Result<void> show_picture();

    const Options& options_;
    Output& output_;
    output::Sink& sink_;
    Aggregations& aggregations_;
    const TotalsFunction totals_;
    uint64_t last_ = 0; ///< time when a snapshot of aggevery was last due
    uint64_t last_picture_ = 0;
    bool asked_ = false;
};

/// Prints all current aggregations to another output in any format, between two passes. The trace's own output is not
/// affected. `env` must be the environment with which `aggregations` are formatted.
Result<void> print_elsewhere(Aggregations& aggregations, PrintOptions options, format::Environment& env, Output& to,
                             OutputFormat format, const output::Totals& totals);

/// Appends all current aggregations and the totals as metrics, between two passes. `common` are labels of all samples.
Result<void> append_metrics(Aggregations& aggregations, const format::Environment& env, output::MetricPage& page,
                            std::string_view common, const output::Totals& totals);

} // namespace dt::consume
