// Walks several aggregations with the same keys together, as printa() prints them.
#include <algorithm>
#include <map>

#include "api/handle.hpp"

namespace {

using dt::api::SnapshotEntry;
using dt::api::SnapshotTable;

struct LessKey {
    bool operator()(const SnapshotEntry* a, const SnapshotEntry* b) const { return dt::api::compare_keys(*a, *b) < 0; }
};

/// Entries with one key, one per aggregation; null if the aggregation lacks the key.
using Bundle = std::vector<const SnapshotEntry*>;

/// Makes an entry for an aggregation that lacks the key.
SnapshotEntry absent(const SnapshotTable& table, const SnapshotEntry& of_key)
{
    SnapshotEntry made;
    made.table = &table;
    made.normal = table.normal;
    made.data.resize(table.description->dtagd_size);
    const std::size_t keys = std::min(of_key.table->records.back().dtrd_offset, table.records.back().dtrd_offset);
    std::copy_n(of_key.data.begin(), keys, made.data.begin());
    const auto* const variable = reinterpret_cast<const char*>(&table.description->dtagd_varid);
    std::copy_n(variable, sizeof table.description->dtagd_varid, made.data.begin());
    const auto* const nothing = reinterpret_cast<const char*>(table.nothing.data());
    std::copy_n(nothing, table.nothing.size() * sizeof(int64_t), made.data.begin() + table.records.back().dtrd_offset);
    return made;
}

bool have_same_keys(const SnapshotTable& a, const SnapshotTable& b)
{
    return a.records.size() == b.records.size() &&
           std::equal(a.records.begin(), a.records.end() - 1, b.records.begin(),
                      [](const dtrace_recdesc_t& x, const dtrace_recdesc_t& y) { return x.dtrd_size == y.dtrd_size; });
}

/// Sorts rows by one aggregation's values or by key; aggsortrev reverses the order.
void sort(std::vector<std::vector<SnapshotEntry>>& rows, const dt::PrintOptions& options)
{
    const std::size_t position = rows.empty() || options.aggsortpos >= rows[0].size() ? 0 : options.aggsortpos;
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        const int by_key = dt::api::compare_keys(a[position], b[position]);
        const int by_value = dt::api::compare_values(a[position], b[position]);
        const int first = options.aggsortkey ? by_key : by_value;
        const int result = first != 0 ? first : options.aggsortkey ? by_value : by_key;
        return options.aggsortrev ? result > 0 : result < 0;
    });
}

/// Returns one row per key that occurs in any aggregation, with an entry of each aggregation.
std::vector<std::vector<SnapshotEntry>> join(dtrace_hdl_t* handle, const std::vector<const SnapshotTable*>& tables)
{
    std::map<const SnapshotEntry*, Bundle, LessKey> bundles;
    for (const SnapshotEntry& entry : handle->snapshot.entries())
        for (std::size_t i = 0; i < tables.size(); ++i)
            if (entry.table == tables[i])
                bundles.try_emplace(&entry, tables.size()).first->second[i] = &entry;
    std::vector<std::vector<SnapshotEntry>> rows;
    for (const auto& [key, bundle] : bundles) {
        std::vector<SnapshotEntry>& row = rows.emplace_back();
        for (std::size_t i = 0; i < tables.size(); ++i)
            row.push_back(bundle[i] ? *bundle[i] : absent(*tables[i], *key));
    }
    return rows;
}

int hand_out(dtrace_hdl_t* handle, const std::vector<SnapshotEntry>& row, dtrace_aggregate_walk_joined_f* function,
             void* argument)
{
    std::vector<dtrace_aggdata_t> data;
    data.reserve(row.size());
    for (const SnapshotEntry& entry : row)
        data.push_back(dt::api::data_of(handle, entry));
    std::vector<const dtrace_aggdata_t*> all = {data.data()};
    for (const dtrace_aggdata_t& each : data)
        all.push_back(&each);
    return function(all.data(), static_cast<int>(all.size()), argument);
}

} // namespace

extern "C" int dtrace_aggregate_walk_joined(dtrace_hdl_t* handle, dtrace_aggvarid_t* variables, int number,
                                            dtrace_aggregate_walk_joined_f* function, void* argument)
{
    return dt::api::guarded(handle, -1, [&] {
        std::vector<const SnapshotTable*> tables;
        for (int i = 0; i < number; ++i) {
            tables.push_back(handle->snapshot.table(variables[i]));
            if (!tables.back() || !have_same_keys(*tables.front(), *tables.back()))
                return handle->fail(EDT_BADAGG, tables.back() ? "these aggregations have other keys than the first"
                                                              : "there is no such aggregation in the snapshot");
        }
        std::vector<std::vector<SnapshotEntry>> rows = join(handle, tables);
        sort(rows, handle->options.print());
        for (const std::vector<SnapshotEntry>& row : rows) {
            const int answer = hand_out(handle, row, function, argument);
            if (answer == DTRACE_AGGWALK_ABORT)
                return handle->fail(EDT_DIRABORT, "the function of a walk ended it");
            if (answer != DTRACE_AGGWALK_NEXT)
                return handle->fail(EDT_BADAGG, "the function of a walk returned what is not known");
        }
        return 0;
    });
}
