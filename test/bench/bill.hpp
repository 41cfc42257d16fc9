// bench bill: compares the tracing cost reported by the tracer (-x cost) with the cost measured by a loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dt::bench {

struct Bill {
    /// Tracing time in ns per call: in BPF programs (`program`) and in hooks (`outside`). `outside` is absent if the
    /// hook overhead of a probe is unknown.
    double program = 0, outside = 0;
    double program_share = 0, outside_share = 0; ///< `program` and `outside` as fractions of a CPU's time
};

/// Returns the sum of the costs of all probes, from the output of `dtrace -x cost -x format=jsonl`, or nothing if no
/// probe fired.
std::optional<Bill> read_bill(const std::string& path);

/// Runs bench bill with its arguments. `build` is the folder of the dtrace to measure. Always returns 0, because people
/// judge the measured values.
int run_bill(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
