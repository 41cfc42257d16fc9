// A snapshot of all aggregations, laid out as walks hand it out: in each entry the variable's number, the keys and the
// value, each at the offset that its description says.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/dtrace.h"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/output/aggregation.hpp"

namespace dt::api {

/// One variable's.
struct SnapshotTable {
    std::string name;
    std::vector<dtrace_recdesc_t> records;
    std::unique_ptr<uint64_t[]> storage;     ///< of the description, with all records behind it
    dtrace_aggdesc_t* description = nullptr; ///< in `storage`
    dtrace_eprobedesc_t enabled{};           ///< the clause that names the aggregation first
    dtrace_probedesc_t probe{};              ///< the first probe of that clause
    int64_t total = 0;                       ///< of the sizes of all entries' values
    uint16_t first_bucket = 0, last_bucket = 0;
    uint32_t flags = 0; ///< DTRACE_A_*
    int64_t normal = 1;
    std::optional<format::HistogramShape> shape; ///< of a function that draws a histogram
    std::vector<int64_t> nothing;                ///< the value of a key that it does not have
};

struct SnapshotEntry {
    const SnapshotTable* table = nullptr;
    std::vector<char> data;
    output::Aggregation::Rank rank;
    int64_t normal = 1;
    bool is_removed = false;
};

/// Returns what the original calls an aggregating function: DTRACEAGG_*.
dtrace_actkind_t kind_of(AggKind kind);

/// Returns what a walk hands out of an entry. The pointers live as long as the snapshot.
dtrace_aggdata_t data_of(dtrace_hdl_t* handle, const SnapshotEntry& entry);

/// As integers where they are as long as such, else byte by byte; a text has zeros behind its end.
int compare_keys(const SnapshotEntry& a, const SnapshotEntry& b);
int compare_values(const SnapshotEntry& a, const SnapshotEntry& b);

/// What the walks call it.
inline dtrace_aggvarid_t variable_of(const AggregationSchema& schema)
{
    return schema.id + 1;
}

class Snapshot {
public:
    void clear();
    /// Takes over what a table holds now. `clause` names the aggregation; null: it is not known.
    void add(const output::Aggregation& aggregation, const format::Environment& env, const Statement* clause);

    std::deque<SnapshotEntry>& entries() { return entries_; }
    /// Null: there is no such variable.
    const SnapshotTable* table(dtrace_aggvarid_t variable) const;

private:
    std::deque<SnapshotTable> tables_;
    std::deque<SnapshotEntry> entries_;
};

} // namespace dt::api
