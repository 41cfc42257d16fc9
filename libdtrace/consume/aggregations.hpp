// All aggregations of a run: when their snapshots are taken, and what the actions on them do.
//
// A snapshot is taken when the first record of a pass that looks at the aggregation is met, of that aggregation alone,
// and not again in the pass; with aggrate not before that much time has gone by. A program that only counts costs the
// consumer nothing until its end.
#pragma once

#include <memory>
#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/consume/carried.hpp"
#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/metric_series.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class Aggregations {
public:
    Aggregations(const format::Environment& env, const RunOptions& run) : env_(env), run_(run) {}

    /// `schemas` and `store` must outlive this. Ids are indices.
    Result<void> open(const std::vector<AggregationSchema>& schemas, AggregationStore& store);

    std::size_t count() const { return tables_.size(); }
    const AggregationSchema& schema(uint32_t id) const { return tables_[id].schema(); }

    /// From now on it is another pass, at `now` ns; in the last one aggrate holds nothing back.
    void begin_pass(uint64_t now, bool last);

    /// printa(): `formats` are bound to each aggregation's keys; null: the default layout.
    Result<void> print(output::Sink& sink, const std::vector<uint32_t>& ids,
                       const std::vector<format::BoundFormat>* formats = nullptr);
    /// At exit: every aggregation that no printa() has shown.
    Result<void> print_unprinted(output::Sink& sink);

    /// Every aggregation as it is now, in the order of ids or in that of print_unprinted(); at exit it is printed
    /// again.
    enum class Order { OfIds, OfEnd };
    Result<void> print_all(output::Sink& sink, Order order);

    /// Those that are metrics, as they are now.
    Result<void> append_metrics(output::MetricPage& page, std::string_view common);

    /// Every aggregation as it is now, in the order of ids.
    Result<std::vector<AggregationValues>> values();

    Result<void> clear(uint32_t id);
    Result<void> truncate(uint32_t id, int64_t keep);
    /// Of all, as far as they were looked at.
    CutKeys cut_keys() const;

    /// Sets the factor of later snapshots' counts, sums and distributions, by id.
    void correct_by(const std::vector<double>& factors);

    void normalize(uint32_t id, int64_t divisor) { tables_[id].divisor = divisor != 0 ? divisor : 1; }

private:
    void keep_series(uint32_t id, output::MetricSeries::Leaving leaving);
    void note_emptied(uint32_t id);
    std::vector<uint32_t> ids(Order order) const;
    /// The tables as they are to be looked at now.
    Result<std::vector<const output::Aggregation*>> look_at(const std::vector<uint32_t>& ids);

    const format::Environment& env_;
    const RunOptions& run_;
    AggregationStore* store_ = nullptr;
    std::vector<AggregationTable> tables_;
    uint64_t pass_ = 0, now_ = 0;
    bool last_ = false;
};

} // namespace dt::consume
