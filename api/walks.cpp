// Walks over a snapshot of the aggregations, in all orders of libdtrace(3).
#include <algorithm>

#include "api/handle.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/sinks/text_sink.hpp"

namespace {

using dt::api::compare_keys;
using dt::api::compare_values;
using dt::api::PrintedAggregations;
using dt::api::SnapshotEntry;
using dt::output::RowPart;

int compare_variables(const SnapshotEntry& a, const SnapshotEntry& b)
{
    const dtrace_aggvarid_t of_a = a.table->description->dtagd_varid, of_b = b.table->description->dtagd_varid;
    return of_a < of_b ? -1 : of_b < of_a ? 1 : 0;
}

using Compare = int (*)(const SnapshotEntry&, const SnapshotEntry&);

/// Applies the value that a walk's callback returned for an entry. Returns false if the walk must end with the result
/// `status`.
bool take_answer(dtrace_hdl_t* handle, SnapshotEntry& entry, const dtrace_aggdata_t& data, int answer, int& status)
{
    switch (answer) {
    case DTRACE_AGGWALK_NEXT:
        return true;
    case DTRACE_AGGWALK_CLEAR: {
        const dtrace_recdesc_t& value = entry.table->records.back();
        std::fill_n(entry.data.begin() + value.dtrd_offset, value.dtrd_size, '\0');
        handle->snapshot.restart(entry, true);
        return true;
    }
    case DTRACE_AGGWALK_REMOVE:
        entry.is_removed = true;
        handle->snapshot.restart(entry, false);
        return true;
    case DTRACE_AGGWALK_NORMALIZE: // consumers set dtada_normal of the entry themselves, although the data is const
        entry.normal = static_cast<int64_t>(data.dtada_normal);
        return true;
    case DTRACE_AGGWALK_DENORMALIZE:
        entry.normal = 1;
        return true;
    case DTRACE_AGGWALK_ABORT:
        status = handle->fail(EDT_DIRABORT, "the callback function stopped the walk");
        return false;
    default:
        status = handle->fail(EDT_BADAGG, "the callback function returned an invalid status");
        return false;
    }
}

/// Walks over the entries, sorted by the comparisons in `order`; the first comparison with a difference decides.
int walk(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument, std::vector<Compare> order,
         bool is_reverse = false)
{
    return dt::api::guarded(handle, -1, [&] {
        auto& entries = handle->snapshot.entries();
        std::vector<SnapshotEntry*> sorted;
        for (SnapshotEntry& entry : entries)
            sorted.push_back(&entry);
        std::stable_sort(sorted.begin(), sorted.end(), [&](const SnapshotEntry* a, const SnapshotEntry* b) {
            for (const Compare compare : order)
                if (const int result = compare(*a, *b); result != 0)
                    return is_reverse ? result > 0 : result < 0;
            return false;
        });
        int status = 0;
        for (SnapshotEntry* const entry : sorted) {
            dtrace_aggdata_t data = dt::api::data_of(handle, *entry);
            const int answer = function(&data, argument);
            if (!take_answer(handle, *entry, data, answer, status))
                break;
        }
        std::erase_if(entries, [](const SnapshotEntry& entry) { return entry.is_removed; });
        return status;
    });
}

/// Sink that copies each aggregation into a snapshot.
class SnapshotSink : public dt::output::TableSink {
public:
    SnapshotSink(const dtrace_hdl_t& handle, dt::api::Snapshot& into) : handle_(handle), into_(into) {}

    void unprinted(const dt::output::Aggregation& table) override
    {
        into_.add(table, environment(), clause_of(table.schema().id));
    }

protected:
    const dt::format::Environment& environment() const { return *handle_.callbacks.environment; }

private:
    /// Returns the first statement that names the aggregation, or null.
    const dt::Statement* clause_of(uint32_t aggregation) const
    {
        for (const dt::Statement& statement : handle_.trace->program().statements)
            if (names(statement.body, aggregation))
                return &statement;
        return nullptr;
    }

    static bool names(const std::vector<dt::TStmt*>& body, uint32_t aggregation)
    {
        return std::any_of(body.begin(), body.end(), [aggregation](const dt::TStmt* statement) {
            return (statement->aggregation && statement->aggregation->id == aggregation) ||
                   names(statement->then, aggregation) || names(statement->otherwise, aggregation);
        });
    }

    const dtrace_hdl_t& handle_;
    dt::api::Snapshot& into_;
};

/// Sink that copies aggregations into a snapshot and also prints each entry, in pieces for its keys and its value.
class PieceSink final : public SnapshotSink {
public:
    PieceSink(const dtrace_hdl_t& handle, PrintedAggregations& printed)
        : SnapshotSink(handle, printed.snapshot), printed_(printed)
    {
    }

    void unprinted(const dt::output::Aggregation& table) override
    {
        const std::size_t first = printed_.snapshot.entries().size();
        SnapshotSink::unprinted(table);
        std::deque<Piece> pieces;
        dt::format::Text text;
        const auto cut = [&](uint32_t flags, const SnapshotEntry* entry, const dtrace_recdesc_t* record) {
            if (!text.empty())
                pieces.push_back({std::string(text.view()), flags, entry, record});
            text.clear();
        };
        const dt::output::Aggregation* const one = &table;
        dt::output::append_aggregations(text, environment(), {&one, 1}, [&](RowPart part, std::size_t key, uint32_t i) {
            const SnapshotEntry* const entry =
                // the row of expired keys has no entry
                i < table.size() ? &printed_.snapshot.entries()[first + i] : nullptr;
            const auto* const records = entry ? &entry->table->records : nullptr;
            if (part == RowPart::Key)
                cut(DTRACE_BUFDATA_AGGKEY, entry, records ? &(*records)[key + 1] : nullptr);
            else if (part == RowPart::Value)
                cut(DTRACE_BUFDATA_AGGVAL, entry, records ? &records->back() : nullptr);
            else
                cut(DTRACE_BUFDATA_AGGFORMAT | DTRACE_BUFDATA_AGGLAST, entry, nullptr);
        });
        // text that belongs to several entries, as the output of agghist, aggpack or blame() does
        cut(0, nullptr, nullptr);
        const bool is_reverse = environment().options.aggsortrev;
        printed_.pieces.insert(is_reverse ? printed_.pieces.begin() : printed_.pieces.end(),
                               std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
    }

private:
    using Piece = PrintedAggregations::Piece;
    PrintedAggregations& printed_;
};

/// Prints the aggregations to the stream or handler that currently receives text output.
int print_now(dtrace_hdl_t* handle)
{
    PrintedAggregations current;
    if (handle->is_readable()) {
        const dt::Result<void> printed = dt::api::print_aggregations(*handle, current);
        if (!printed)
            return handle->fail(printed.error(), EDT_TRACE);
    }
    handle->callbacks.aborted = 0;
    for (const auto& piece : (handle->is_readable() ? current : handle->last_aggregations).pieces)
        if (handle->callbacks.aborted == 0)
            handle->callbacks.print(piece);
    return handle->callbacks.aborted != 0 ? handle->fail(handle->callbacks.aborted, {}) : 0;
}

} // namespace

dt::Result<void> dt::api::print_aggregations(const dtrace_hdl& handle, PrintedAggregations& printed)
{
    PieceSink sink(handle, printed);
    return handle.trace->results().show_aggregations(sink);
}

extern "C" {

int dtrace_aggregate_snap(dtrace_hdl_t* handle)
{
    return dt::api::guarded(handle, -1, [&] {
        if (!handle->is_readable()) // without readable aggregations, the previous snapshot stays valid
            return handle->trace ? 0 : handle->fail(EDT_NOPROG, "tracing has not started: call dtrace_go() first");
        handle->snapshot.clear();
        SnapshotSink sink(*handle, handle->snapshot);
        const dt::Result<void> shown = handle->trace->results().show_aggregations(sink);
        return shown ? 0 : handle->fail(shown.error(), EDT_TRACE);
    });
}

void dtrace_aggregate_clear(dtrace_hdl_t* handle)
{
    dt::api::guarded(handle, 0, [&] {
        handle->snapshot.clear();
        if (!handle->is_readable())
            return 0;
        handle->snapshot.forget_restarts();
        const dt::Result<void> cleared = handle->trace->results().clear_aggregations();
        return cleared ? 0 : handle->fail(cleared.error(), EDT_TRACE);
    });
}

int dtrace_aggregate_print(dtrace_hdl_t* handle, FILE* stream, dtrace_aggregate_walk_f*)
{
    return dt::api::guarded(handle, -1, [&] {
        if (!handle->trace)
            return handle->fail(EDT_NOPROG, "tracing has not started: call dtrace_go() first");
        FILE* const former = std::exchange(handle->callbacks.stream, stream);
        const int status = print_now(handle);
        handle->callbacks.stream = former;
        return status;
    });
}

int dtrace_aggregate_walk(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {});
}

int dtrace_aggregate_walk_sorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_variables, compare_values, compare_keys});
}

int dtrace_aggregate_walk_keysorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_keys, compare_variables, compare_values});
}

int dtrace_aggregate_walk_valsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_values, compare_keys, compare_variables});
}

int dtrace_aggregate_walk_keyvarsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_variables, compare_keys, compare_values});
}

int dtrace_aggregate_walk_valvarsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_variables, compare_values, compare_keys});
}

int dtrace_aggregate_walk_keyrevsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_keys, compare_variables, compare_values}, true);
}

int dtrace_aggregate_walk_valrevsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_values, compare_keys, compare_variables}, true);
}

int dtrace_aggregate_walk_keyvarrevsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_variables, compare_keys, compare_values}, true);
}

int dtrace_aggregate_walk_valvarrevsorted(dtrace_hdl_t* handle, dtrace_aggregate_f* function, void* argument)
{
    return walk(handle, function, argument, {compare_variables, compare_values, compare_keys}, true);
}
}
