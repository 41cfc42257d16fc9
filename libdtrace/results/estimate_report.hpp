// The cost that a trace is expected to have (dtrace --estimate).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::output {

struct EstimatedProbe {
    uint32_t id = 0;
    std::string name;
    double rate = 0;   ///< firings of the probe per second
    double passed = 1; ///< fraction of firings for which the predicate is true
    /// mean time of the program in ns per firing, over firings with true and with false predicates
    double program = 0;
    std::optional<double> outside; ///< hook overhead in ns per firing

    /// Returns the fraction of one CPU that the probe uses.
    double share() const { return rate * (program + outside.value_or(0)) / 1e9; }
};

struct Estimate {
    std::vector<EstimatedProbe> probes; ///< probes that fired, most expensive probe first
    std::size_t all = 0;                ///< number of all probes of the trace
    std::size_t counted = 0;            ///< number of probes whose firings were counted
    double seconds = 0;                 ///< duration of the counting in seconds
    uint32_t cpus = 1;
    double attaching = 0;                 ///< time in seconds for attaching the counted probes
    double samples = 0, sample_bytes = 0; ///< expected number of samples and of bytes that are recorded per second
    /// Whether some predicates could not be evaluated while counting. If so, the estimated fractions of true predicates
    /// are upper bounds.
    bool has_other_predicates = false;
    bool knows_all_outside = true;
    std::string needs; ///< missing privileges without which firings cannot be counted; empty if none is missing

    /// Returns the fraction of one CPU that all probes of the trace use.
    double share() const;

    /// Returns the factor by which sums over the counted probes are multiplied to estimate the sums over all probes.
    double scale() const { return counted == 0 ? 1 : static_cast<double>(all) / static_cast<double>(counted); }
};

/// Returns the estimate as human-readable text.
std::string estimate_table(const Estimate& estimate);
/// Returns the line about the time of detaching. It is printed after detaching, and the estimate before it, because
/// detaching many probes takes seconds.
std::string detached_line(double seconds);

/// Names and values of the estimate's numbers, for machine-readable output. Each name ends in the unit of its number. A
/// value is empty if it is unknown.
using NamedNumbers = std::vector<std::pair<std::string_view, std::optional<uint64_t>>>;
NamedNumbers named_numbers(const EstimatedProbe& probe);
NamedNumbers named_numbers(const Estimate& estimate);
std::pair<std::string_view, uint64_t> named_detaching(double seconds);

} // namespace dt::output
