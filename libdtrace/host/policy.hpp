// What a host allows those who ask many: a file of its own with limits. What is over one of them is refused, with the
// number, before anything is traced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "libdtrace/output/estimate.hpp"

namespace dt {

struct Policy {
    std::optional<double> price;    ///< most, in percent of the machine
    std::optional<double> records;  ///< most, a second
    std::optional<uint64_t> memory; ///< most, bytes
    bool destructive = true;        ///< is allowed

    /// Whether it can only be told after firings were counted.
    bool wants_estimate() const { return price || records; }
};

/// Lines of a name and a value ("price 1%", "records 10k", "memory 64m", "destructive no"); `#` begins a comment. The
/// error names the line.
Result<Policy> read_policy(std::string_view text);

/// Why the run is refused ("price 4.1 % over its limit 1 %"); empty: it is not.
std::string refused_by(const Policy& policy, bool is_destructive, uint64_t memory);
std::string refused_by(const Policy& policy, const output::Estimate& estimate);

} // namespace dt
