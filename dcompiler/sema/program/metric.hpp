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
    /// Type of the metric. Counters never decrease. OfFunction: the aggregating function determines the type.
    enum class Type : uint8_t { OfFunction, Counter, Gauge };
    /// Smallest and largest bucket bound that is exported. Counts of buckets outside of this range are added to the
    /// first or last exported bucket.
    struct Range {
        int64_t low = 0, high = 0;
        bool operator==(const Range&) const = default;
    };

    /// Name under which the metric is exported. It ends with the unit, but lacks the suffix for the kind of sample
    /// (_total, _bucket, …).
    std::string name;
    std::string unit;      ///< exported unit; empty: none
    unsigned decimals = 0; ///< exported values are shifted by this number of decimals: 9 exports nanoseconds as seconds
    std::string help;
    /// for each key, the name of its label in the metric; empty for a stack, which is not exported as a label
    std::vector<std::string> labels;
    Type type = Type::OfFunction;
    std::optional<Range> range;
    bool is_signed = false; ///< whether aggregated values may be negative

    bool operator==(const Metric&) const = default;

    /// Returns whether the metrics system reserves the label for itself.
    static bool is_taken_label(std::string_view label)
    {
        return label == "le" || label == "quantile" || label.starts_with("__");
    }
    /// Returns whether the tracer itself always exports a metric of this name.
    static bool is_taken_name(std::string_view name) { return name == "dtrace_lost" || name == "dtrace_weight"; }
};

} // namespace dt
