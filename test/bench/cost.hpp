// What an event costs the traced loop, in nanoseconds a call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/hand.hpp"
#include "test/bench/rows.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {

using Words = std::vector<std::string>;

/// Attaches the hand-written programs.
using ByHand = std::function<std::unique_ptr<Hand>()>;
/// The program of that name of hand.bpf.c.
ByHand program_by_hand(const std::string& program);
/// All programs of an object.
ByHand object_by_hand(const std::string& path);

/// By hand-written programs; absent, and `problem` says why, where that cannot be.
double added_by_hand(const ByHand& by_hand, std::string& problem);

/// By a tracer that is started with these words; absent, and `problem` says why, when it has no effect.
double added_by_tool(const Words& words, std::string& problem);

/// Rounds of (by hand, dtrace, bpftrace), interleaved so that slow phases of the machine hit all alike: medians,
/// quartiles and the least of each, ratios of the same round. With `promised`, programs by hand that do all that D
/// promises are measured beside. Adds the row to the report.
void measure_cost(const Bench& bench, Row row, const ByHand& by_hand, const Words& ours,
                  const std::optional<Words>& bpftrace, const ByHand& promised = {});

} // namespace dt::bench
