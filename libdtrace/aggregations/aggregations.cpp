// Takes snapshots on demand, and executes printa(), clear(), trunc() and similar actions.
#include "libdtrace/aggregations/aggregations.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>

#include "base/time.hpp"

namespace dt::consume {

Result<void> Aggregations::open(const std::vector<AggregationSchema>& schemas, AggregationStore& store)
{
    store_ = &store;
    for (const AggregationSchema& schema : schemas) {
        auto table = AggregationTable::make(schema, env_.options.aggpercpu);
        if (!table)
            return table.error();
        tables_.push_back(std::move(table.value()));
        if (exports_metrics(run_, env_.options))
            tables_.back().keep_series(env_.options);
    }
    return {};
}

void Aggregations::begin_pass(uint64_t now, bool last)
{
    ++pass_;
    now_ = now;
    last_ = last;
}

Result<std::vector<const output::Aggregation*>> Aggregations::look_at(const std::vector<uint32_t>& ids)
{
    const Symbols::Moment any_time(env_.symbols, 0);
    std::vector<const output::Aggregation*> looked;
    for (const uint32_t id : ids) {
        AggregationTable& table = tables_[id];
        looked.push_back(&table);
        if (table.taken_in_pass == pass_)
            continue;
        const bool is_first = table.taken_in_pass == 0;
        if (!is_first && !last_ && now_ - table.taken_at < run_.aggrate)
            continue;
        if (Result<void> taken = table.snapshot(*store_, env_); !taken)
            return taken.error();
        table.taken_in_pass = pass_;
        table.taken_at = now_;
    }
    return looked;
}

Result<void> Aggregations::print(output::Sink& sink, const std::vector<uint32_t>& ids,
                                 const std::vector<format::BoundFormat>* formats)
{
    const auto tables = look_at(ids);
    if (!tables)
        return tables.error();
    const Symbols::Moment any_time(env_.symbols, 0);
    if (formats)
        sink.aggregations(tables.value(), *formats);
    else
        sink.aggregations(tables.value());
    for (const uint32_t id : ids)
        tables_[id].printed = true;
    return {};
}

std::vector<uint32_t> Aggregations::ids(Order order) const
{
    std::vector<uint32_t> all(tables_.size());
    std::iota(all.begin(), all.end(), 0);
    if (order == Order::OfEnd && env_.options.aggsortrev)
        std::reverse(all.begin(), all.end());
    return all;
}

Result<void> Aggregations::print_unprinted(output::Sink& sink)
{
    for (const uint32_t id : ids(Order::OfEnd)) {
        if (tables_[id].printed)
            continue;
        const auto looked = look_at({id});
        if (!looked)
            return looked.error();
        sink.unprinted(tables_[id]);
        tables_[id].printed = true;
    }
    return {};
}

Result<void> Aggregations::print_all(output::Sink& sink, Order order)
{
    for (const uint32_t id : ids(order)) {
        const auto looked = look_at({id});
        if (!looked)
            return looked.error();
        sink.unprinted(tables_[id]);
    }
    return {};
}

Result<void> Aggregations::append_metrics(output::MetricPage& page, std::string_view common)
{
    const auto looked = look_at(ids(Order::OfIds));
    if (!looked)
        return looked.error();
    for (uint32_t id = 0; id < tables_.size(); ++id) {
        keep_series(id, output::MetricSeries::Leaving::Now);
        if (const output::MetricSeries* const series = tables_[id].series())
            series->append(page, common, true);
    }
    return {};
}

Result<std::vector<AggregationValues>> Aggregations::values()
{
    std::vector<AggregationValues> all;
    for (AggregationTable& table : tables_) {
        if (Result<void> taken = table.snapshot(*store_, env_); !taken)
            return taken.error();
        AggregationValues& values = all.emplace_back(
            AggregationValues{table.schema(), PackedEntries(table.schema().key_size, table.schema().words), {}, {}});
        for (Datum& key : values.shape.keys) {
            // cleared, because the values are used after the run, when the run's type data have been freed
            key.type = nullptr;
            if (key.kind == Datum::Kind::Name)
                values.names = env_.names;
        }
        if (table.has_expired())
            values.expired.assign(table.words(table.kExpired).begin(), table.words(table.kExpired).end());
        for (std::size_t entry = 0; entry < table.size(); ++entry)
            values.entries.add(table.key(entry), table.words(entry));
    }
    return all;
}

TruncatedKeys Aggregations::truncated_keys() const
{
    TruncatedKeys sum;
    for (const AggregationTable& table : tables_) {
        sum.strings += table.truncated_keys().strings;
        sum.stacks += table.truncated_keys().stacks;
    }
    return sum;
}

void Aggregations::correct_by(const std::vector<double>& factors)
{
    for (std::size_t id = 0; id < std::min(factors.size(), tables_.size()); ++id)
        tables_[id].correct_by(factors[id]);
}

Result<void> Aggregations::clear(uint32_t id)
{
    if (const auto looked = look_at({id}); !looked)
        return looked.error();
    keep_series(id, output::MetricSeries::Leaving::Later);
    tables_[id].clear(*store_);
    note_emptied(id);
    return {};
}

Result<void> Aggregations::truncate(uint32_t id, int64_t keep)
{
    if (const auto looked = look_at({id}); !looked)
        return looked.error();
    keep_series(id, output::MetricSeries::Leaving::Later);
    tables_[id].truncate(*store_, keep, env_);
    note_emptied(id);
    return {};
}

/// Updates the metric of an aggregation. Called before values are removed, because a metric must not decrease.
void Aggregations::keep_series(uint32_t id, output::MetricSeries::Leaving leaving)
{
    if (output::MetricSeries* const series = tables_[id].series())
        series->update(tables_[id], env_, static_cast<uint64_t>(now_ns(CLOCK_REALTIME)), leaving);
}

void Aggregations::note_emptied(uint32_t id)
{
    if (output::MetricSeries* const series = tables_[id].series())
        series->was_emptied(tables_[id], env_);
}

} // namespace dt::consume
