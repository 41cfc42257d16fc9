// All aggregations of a run: decides when to take their snapshots, and executes the actions on them.
//
// The first record of a consumer pass that needs an aggregation takes a snapshot of that aggregation, at most once a
// pass. Option aggrate sets the minimum time between two snapshots. So a program that only counts costs the consumer
// nothing until its end.
#pragma once

#include <memory>
#include <vector>

#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/aggregations/restored_aggregations.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class Aggregations {
public:
    Aggregations(const format::Environment& env, const RunOptions& run) : env_(env), run_(run) {}

    /// Creates a table for each of `schemas`; the id of an aggregation is its index. `schemas` and `store` must outlive
    /// this object.
    Result<void> open(const std::vector<AggregationSchema>& schemas, AggregationStore& store);

    std::size_t count() const { return tables_.size(); }
    const AggregationSchema& schema(uint32_t id) const { return tables_[id].schema(); }

    /// Starts a consumer pass at the time `now` (ns). In the last pass, option aggrate is ignored.
    void begin_pass(uint64_t now, bool last);

    /// Implements printa(). `formats` contains the format for each aggregation, bound to the types of its keys; null
    /// selects the default layout.
    Result<void> print(output::Sink& sink, const std::vector<uint32_t>& ids,
                       const std::vector<format::BoundFormat>* formats = nullptr);
    /// Prints, at exit, every aggregation that no printa() has printed.
    Result<void> print_unprinted(output::Sink& sink);

    /// Prints every aggregation with its current values, ordered by id or in the order of print_unprinted().
    /// Aggregations that this function has printed do not count as printed for print_unprinted().
    enum class Order { OfIds, OfEnd };
    Result<void> print_all(output::Sink& sink, Order order);

    /// Appends the current values of those aggregations that are metrics to the metrics page `page`.
    Result<void> append_metrics(output::MetricPage& page, std::string_view common);

    /// Returns the current values of all aggregations, by id.
    Result<std::vector<AggregationValues>> values();

    Result<void> clear(uint32_t id);
    Result<void> truncate(uint32_t id, int64_t keep);
    /// Returns the number of truncated keys of all aggregations, as of their last snapshots.
    TruncatedKeys truncated_keys() const;

    /// Sets a factor for each aggregation; `factors` is indexed by aggregation id. Later snapshots multiply the
    /// aggregation's counts, sums and distributions by its factor.
    void correct_by(const std::vector<double>& factors);

    void normalize(uint32_t id, int64_t divisor) { tables_[id].divisor = divisor != 0 ? divisor : 1; }

private:
    void keep_series(uint32_t id, output::MetricSeries::Leaving leaving);
    void note_emptied(uint32_t id);
    std::vector<uint32_t> ids(Order order) const;
    /// Returns the tables of the aggregations, after taking a snapshot of each aggregation whose snapshot is due.
    Result<std::vector<const output::Aggregation*>> look_at(const std::vector<uint32_t>& ids);

    const format::Environment& env_;
    const RunOptions& run_;
    AggregationStore* store_ = nullptr;
    std::vector<AggregationTable> tables_;
    uint64_t pass_ = 0, now_ = 0;
    bool last_ = false;
};

} // namespace dt::consume
