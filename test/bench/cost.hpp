// What an event costs the traced loop, in nanoseconds a call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "test/bench/table.hpp"

namespace dt::bench {

using Words = std::vector<std::string>;

/// By a program of hand.bpf.c; absent, and `problem` says why, where that cannot be.
double added_by_hand(const std::string& program, std::string& problem);

/// Rounds of (by hand, dtrace, bpftrace), interleaved so that slow phases of the machine hit all alike; the least of each. Prints the row.
void measure_cost(Row row, const char* hand_program, const Words& ours, const std::optional<Words>& bpftrace);

} // namespace dt::bench
