// Aggregations that are shown while the trace goes on, and kept if nobody says otherwise: the pictures of --top, what
// -x aggevery shows, and what a signal asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/result.hpp"
#include "libdtrace/consume/aggregations.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

/// Times are ns by CLOCK_MONOTONIC.
class Snapshots {
public:
    using AskTotals = std::function<output::Totals()>;

    /// All must outlive this.
    Snapshots(const Options& options, Output& output, output::Sink& sink, Aggregations& aggregations, AskTotals totals)
        : options_(options), output_(output), sink_(sink), aggregations_(aggregations), totals_(std::move(totals))
    {
    }

    /// Tracing begins.
    void begin(uint64_t now) { last_ = now; }
    /// One is to be shown now.
    void ask() { asked_ = true; }
    bool is_asked() const { return asked_; }

    /// Whether show() has something to show, and when it will, unless it is asked; UINT64_MAX: never.
    bool is_due(uint64_t now) const { return asked_ || now >= due(); }
    uint64_t due() const;

    /// After the records of the pass: what is due.
    Result<void> show(uint64_t now);
    /// After the last record: what no printa() has shown. With aggevery it is one more of that series.
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
    const AskTotals totals_;
    uint64_t last_ = 0; ///< when aggevery was due last
    uint64_t last_picture_ = 0;
    bool asked_ = false;
};

/// Every aggregation as it is now, between two passes, to another output and in any format: nothing of the trace's own
/// is changed. `env` is that of `aggregations`.
Result<void> print_elsewhere(Aggregations& aggregations, PrintOptions options, format::Environment& env, Output& to,
                             OutputFormat format, const output::Totals& totals);

/// Every aggregation as it is now, likewise, and what stands beside them. `common`: labels that all samples have.
Result<void> append_metrics(Aggregations& aggregations, const format::Environment& env, output::MetricPage& page,
                            std::string_view common, const output::Totals& totals);

} // namespace dt::consume
