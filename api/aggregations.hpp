// A snapshot of all aggregations, laid out as walks hand it out: in each entry the variable's number, the keys and the
// value, each at the offset that its description says.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "api/dtrace.h"
#include "libdtrace/format/value.hpp"
#include "libdtrace/output/aggregation.hpp"

namespace dt::api {

/// One variable's.
struct SnapshotTable {
    std::string name;
    std::vector<dtrace_recdesc_t> records;
    dtrace_aggdesc_t description{}; ///< points into the two above
    int64_t normal = 1;
};

struct SnapshotEntry {
    const SnapshotTable* table = nullptr;
    std::vector<char> data;
    output::Aggregation::Rank rank;
    int64_t normal = 1;
    bool is_removed = false;
};

class Snapshot {
public:
    void clear();
    /// Takes over what a table holds now.
    void add(const output::Aggregation& aggregation, const format::Environment& env);

    std::deque<SnapshotEntry>& entries() { return entries_; }

private:
    std::deque<SnapshotTable> tables_;
    std::deque<SnapshotEntry> entries_;
};

} // namespace dt::api
