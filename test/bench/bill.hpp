// bench bill: what the tracer says that tracing costs (-x cost) beside what the loop says.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dt::bench {

struct Bill {
    double program = 0, outside = 0;             ///< ns a call; `outside` is absent when a probe has no price of it
    double program_share = 0, outside_share = 0; ///< the same as a part of the time of a CPU
};

/// Of all probes that fired, added up, from what `dtrace -x cost -x format=jsonl` wrote; nothing when none did.
std::optional<Bill> read_bill(const std::string& path);

/// The words behind it. `build` is where dtrace is. Status 0 whatever the figures are.
int run_bill(const std::vector<std::string>& words, const std::string& build);

} // namespace dt::bench
