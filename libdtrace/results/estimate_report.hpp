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
    double rate = 0;               ///< firings of the probe per second
    double passed = 1;             ///< fraction of firings for which a predicate is true
    double program = 0;            ///< ns per firing in the program, averaged over true and false predicates
    std::optional<double> outside; ///< hook overhead in ns per firing

    /// Returns the fraction of one CPU that the probe takes.
    double share() const { return rate * (program + outside.value_or(0)) / 1e9; }
};

struct Estimate {
    std::vector<EstimatedProbe> probes; ///< probes that fired, most expensive first
    std::size_t all = 0;                ///< number of all probes
    std::size_t counted = 0;            ///< number of probes whose firings were counted
    double seconds = 0;                 ///< duration of the counting in seconds
    uint32_t cpus = 1;
    double attaching = 0;                 ///< seconds that attaching the counted probes took
    double samples = 0, sample_bytes = 0; ///< samples and bytes recorded per second
    /// Some predicates could not be evaluated while counting, so the shares are upper bounds.
    bool has_other_predicates = false;
    bool knows_all_outside = true;
    std::string needs; ///< missing privileges that counting needs; empty if counting was possible

    /// Returns the fraction of one CPU that all probes take.
    double share() const;

    /// Returns the factor by which numbers of the counted probes are multiplied to estimate all probes.
    double scale() const { return counted == 0 ? 1 : static_cast<double>(all) / static_cast<double>(counted); }
};

/// Returns the estimate as human-readable text.
std::string estimate_table(const Estimate& estimate);
/// Returns the line that is printed after detaching. It is separate, because detaching many probes takes seconds and
/// the estimate is printed before.
std::string detached_line(double seconds);

/// Numbers for machine-readable output. A name ends in the unit of its number. An empty number is not known.
using NamedNumbers = std::vector<std::pair<std::string_view, std::optional<uint64_t>>>;
NamedNumbers named_numbers(const EstimatedProbe& probe);
NamedNumbers named_numbers(const Estimate& estimate);
std::pair<std::string_view, uint64_t> named_detaching(double seconds);

} // namespace dt::output
