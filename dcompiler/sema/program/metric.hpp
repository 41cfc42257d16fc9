// Description of an aggregation as a metric: the settings of `#pragma D metric`, with defaults for settings that the
// pragma does not contain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

struct Metric {
    /// Type of the metric. Counters never decrease. OfFunction means that the aggregating function determines the type.
    enum class Type : uint8_t { OfFunction, Counter, Gauge };
    /// Range of exported bucket bounds. Counts of buckets below `low` or above `high` are added to the first or last
    /// exported bucket.
    struct Range {
        int64_t low = 0, high = 0;
        bool operator==(const Range&) const = default;
    };

    /// Exported name. It ends with the unit, but does not contain the suffix for the kind of sample (_total, _bucket,
    /// …).
    std::string name;
    std::string unit;      ///< exported unit; empty: none
    unsigned decimals = 0; ///< decimal shift of exported values: 9 exports nanoseconds as seconds
    std::string help;
    /// name of the metric's label for each key; empty for stack keys, which are not exported as labels
    std::vector<std::string> labels;
    Type type = Type::OfFunction;
    std::optional<Range> range;
    bool is_signed = false; ///< whether aggregated values may be negative

    bool operator==(const Metric&) const = default;

    /// Returns whether the metrics system reserves the label.
    static bool is_taken_label(std::string_view label)
    {
        return label == "le" || label == "quantile" || label.starts_with("__");
    }
    /// Returns whether the name belongs to a metric that is always exported.
    static bool is_taken_name(std::string_view name) { return name == "dtrace_lost" || name == "dtrace_weight"; }
};

} // namespace dt
