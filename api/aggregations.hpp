// Snapshot of all aggregations in the layout that the walk functions use. Each entry has the variable's id, the keys
// and the value, at the offsets given by its description.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dtrace.h"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"

namespace dt::api {

/// Layout of one aggregation's entries, as the walk functions of libdtrace(3) present them.
struct SnapshotTable {
    std::string name;
    std::vector<dtrace_recdesc_t> records;
    /// memory of the aggregation's description and of the record descriptions after it
    std::unique_ptr<uint64_t[]> storage;
    dtrace_aggdesc_t* description = nullptr; ///< description of the aggregation, at the start of `storage`
    dtrace_eprobedesc_t enabled{};           ///< the first clause that names the aggregation
    dtrace_probedesc_t probe{};              ///< first probe of the first clause that names the aggregation
    int64_t total = 0;                       ///< sum of the absolute values of all entries
    uint16_t first_bucket = 0, last_bucket = 0;
    uint32_t flags = 0; ///< flags of the aggregation: DTRACE_A_*
    int64_t normal = 1;
    std::optional<format::HistogramShape> shape; ///< shape of the histogram; empty for functions that draw none
    std::optional<output::TimeSeries> series;    ///< intervals of tseries(); empty for other functions
    std::vector<int64_t> nothing;                ///< initial value, used for a key that the aggregation lacks
};

struct SnapshotEntry {
    const SnapshotTable* table = nullptr;
    std::vector<char> data;
    std::string key; ///< bytes of the key, as in the kernel's map
    /// value in the kernel, counted from the start of tracing or from the last clear() in the script
    std::vector<int64_t> words;
    output::Aggregation::Rank rank;
    int64_t normal = 1;
    bool is_removed = false;
};

/// Returns DTrace's constant for an aggregating function: DTRACEAGG_*.
dtrace_actkind_t kind_of(AggKind kind);

/// Returns an entry in the form that walks pass to callbacks. The pointers live as long as the snapshot.
dtrace_aggdata_t data_of(dtrace_hdl_t* handle, const SnapshotEntry& entry);

/// Compare keys or values: as integers if they have the size of an integer, else byte by byte. Strings are padded with
/// zeros.
int compare_keys(const SnapshotEntry& a, const SnapshotEntry& b);
int compare_values(const SnapshotEntry& a, const SnapshotEntry& b);

/// Returns the variable id by which the walk functions identify the aggregation.
inline dtrace_aggvarid_t variable_of(const AggregationSchema& schema)
{
    return schema.id + 1;
}

class Snapshot {
public:
    void clear();
    /// Copies the current entries of an aggregation. `clause` is the clause that names the aggregation first, or null
    /// if the caller does not know it.
    void add(const output::Aggregation& aggregation, const format::Environment& env, const Statement* clause);

    /// Makes later snapshots count from the entry's present value, because a walk asked to clear or remove the entry.
    /// Values that are added after this snapshot count. If `stays` is set, later walks include the entry even if
    /// nothing was added to it.
    void restart(const SnapshotEntry& entry, bool stays);
    /// Discards the effects of all calls of restart(). Called after the kernel has cleared the values.
    void forget_restarts() { restarts_.clear(); }

    std::deque<SnapshotEntry>& entries() { return entries_; }
    /// Returns the layout of a variable, or null if it does not exist.
    const SnapshotTable* table(dtrace_aggvarid_t variable) const;

private:
    struct Restart {
        std::vector<int64_t> words; ///< value in the kernel at the time of restart()
        bool stays = false;
    };
    bool since_restart(const AggregationSchema& schema, SnapshotEntry& entry, std::vector<int64_t>& words);

    std::deque<SnapshotTable> tables_;
    std::deque<SnapshotEntry> entries_;
    std::map<std::pair<dtrace_aggvarid_t, std::string>, Restart> restarts_;
};

/// Text of all aggregations, in the pieces that dtrace_aggregate_print() gives to the handler that
/// dtrace_handle_buffered() has set.
struct PrintedAggregations {
    struct Piece {
        std::string text;
        uint32_t flags = 0; ///< flags: DTRACE_BUFDATA_*
        /// entry to which this text belongs; null if it belongs to several entries or to none
        const SnapshotEntry* entry = nullptr;
        /// record of the key or value that this text prints; null if it prints neither
        const dtrace_recdesc_t* record = nullptr;
    };
    Snapshot snapshot;
    std::deque<Piece> pieces; ///< pieces in print order; they point into `snapshot`
};

} // namespace dt::api
