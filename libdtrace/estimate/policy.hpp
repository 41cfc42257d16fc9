// Limits of a run, read from a file: the file of --policy, or the host's own policy for requests from other hosts. A
// run that would exceed a limit is refused before tracing starts, with a message about the limit and the run's value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "libdtrace/results/estimate_report.hpp"

namespace dt {

struct Policy {
    std::optional<double> price;    ///< maximum cost of tracing in percent of the machine
    std::optional<double> records;  ///< maximum number of records per second
    std::optional<uint64_t> memory; ///< maximum memory of a trace in bytes
    bool destructive = true;        ///< whether destructive actions are allowed

    /// Returns whether the policy limits a quantity that is only known after firings have been counted (--estimate).
    bool wants_estimate() const { return price || records; }
};

/// Parses lines of a name and a value ("price 1%", "records 10k", "memory 64m", "destructive no"); `#` begins a
/// comment. Errors name the line.
Result<Policy> read_policy(std::string_view text);

/// Returns the reason why a run is refused, for example "price 4.1 % exceeds the limit 1 %", or an empty string if it
/// is allowed.
std::string refused_by(const Policy& policy, bool is_destructive, uint64_t memory);
std::string refused_by(const Policy& policy, const output::Estimate& estimate);

} // namespace dt
