// How an aggregation is called where its values go to a system of metrics: what `#pragma D metric` says, and where it
// says nothing, what is sensible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt {

struct Metric {
    /// Counters never turn back; OfFunction: as the function has it.
    enum class Type : uint8_t { OfFunction, Counter, Gauge };
    /// Of the bounds of buckets only those from `low` to `high` are told: the counts of the others are in these.
    struct Range {
        int64_t low = 0, high = 0;
        bool operator==(const Range&) const = default;
    };

    std::string name; ///< without what the kind of metric appends (_total, _bucket, …); it ends with the unit
    std::string unit; ///< of what is told; empty: none
    unsigned decimals =
        0; ///< what is told has the point so many digits from the right: nanoseconds are told as seconds
    std::string help;
    std::vector<std::string> labels; ///< of the keys; those of stacks are no labels, and empty
    Type type = Type::OfFunction;
    std::optional<Range> range;
    bool is_signed = false; ///< what is aggregated may be negative

    bool operator==(const Metric&) const = default;

    /// Labels that the systems of metrics have for themselves.
    static bool is_taken_label(std::string_view label)
    {
        return label == "le" || label == "quantile" || label.starts_with("__");
    }
    /// What is told beside all aggregations: no other metric is called so.
    static bool is_taken_name(std::string_view name) { return name == "dtrace_lost" || name == "dtrace_weight"; }
};

} // namespace dt
