// In which order aggregation entries are printed (dtrace-aggregations(7), PRINTING AND CHANGING), and which entries of
// several aggregations belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libdtrace/output/aggregation.hpp"

namespace dt::output {

/// One printed line: the entry of each aggregation, or kAbsent where an aggregation does not have the key. In the last
/// line entries may be Aggregation::kGone.
struct Row {
    static constexpr uint32_t kAbsent = 0xffffffff;
    std::vector<uint32_t> entries;
};

/// Joins the tables on equal keys and sorts by the agg* options in force.
std::vector<Row> sorted_rows(std::span<const Aggregation* const> tables, const format::Environment& env);

/// The entries of all tables in that order, each by itself: what programs read has no lines of several.
template <typename Visit>
void for_each_entry(std::span<const Aggregation* const> tables, const format::Environment& env, Visit visit)
{
    for (const Row& row : sorted_rows(tables, env))
        for (std::size_t i = 0; i < tables.size(); ++i)
            if (row.entries[i] != Row::kAbsent)
                visit(*tables[i], row.entries[i]);
}

/// One table's entries by value, ties by key, whatever the options say: trunc().
std::vector<uint32_t> ascending_by_value(const Aggregation& table, const format::Environment& env);

/// Which of the tables a row takes its key from: the first that has it.
std::size_t key_owner(const Row& row);

/// Negative, zero or positive, key by key from the `first`-th on, cyclically.
int compare_keys(const format::Environment& env, const Aggregation& a, uint32_t entry_a, const Aggregation& b,
                 uint32_t entry_b, std::size_t first);

} // namespace dt::output
