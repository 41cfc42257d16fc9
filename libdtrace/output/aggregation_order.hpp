// Sorts aggregation entries for printing (dtrace-aggregations(7), PRINTING AND CHANGING) and joins several aggregations
// on equal keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libdtrace/output/aggregation.hpp"

namespace dt::output {

/// One printed line: one entry per aggregation, or kAbsent for an aggregation without the key. Entries of the last row
/// may be Aggregation::kGone.
struct Row {
    static constexpr uint32_t kAbsent = 0xffffffff;
    std::vector<uint32_t> entries;
};

/// Returns the tables joined on equal keys and sorted by the agg* options in force.
std::vector<Row> sorted_rows(std::span<const Aggregation* const> tables, const format::Environment& env);

/// Calls `visit` for every entry of every table in sort order. Machine-readable formats use it: their lines hold one
/// entry each.
template <typename Visit>
void for_each_entry(std::span<const Aggregation* const> tables, const format::Environment& env, Visit visit)
{
    for (const Row& row : sorted_rows(tables, env))
        for (std::size_t i = 0; i < tables.size(); ++i)
            if (row.entries[i] != Row::kAbsent)
                visit(*tables[i], row.entries[i]);
}

/// Returns one table's entries sorted by value, then by key, and ignores the agg* options; trunc() needs this order.
std::vector<uint32_t> ascending_by_value(const Aggregation& table, const format::Environment& env);

/// Returns the index of the first table that contains the row's key, or the number of tables if none does.
std::size_t key_owner(const Row& row);

/// Returns a negative, zero or positive number. Compares key by key, from index `first` on, and wraps around.
int compare_keys(const format::Environment& env, const Aggregation& a, uint32_t entry_a, const Aggregation& b,
                 uint32_t entry_b, std::size_t first);

} // namespace dt::output
