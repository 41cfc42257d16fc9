// What an event costs the traced loop, in nanoseconds a call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/gated_trace.hpp"
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

/// Adds the row to the report. In each round all are loaded anew: programs by hand and those of the script take turns
/// on one task, attached for some milliseconds each; bpftrace, which cannot be detached from outside, is started and
/// ended beside the same task, in every fourth round. A round has the medians of its turns; the row has median,
/// quartiles and least of the rounds, and ratios of the same round. With `promised`, programs by hand that do all that
/// D promises take turns, too.
void measure_cost(const Bench& bench, Row row, const ByHand& by_hand, const TracedScript& ours,
                  const std::optional<Words>& bpftrace, const ByHand& promised = {});

} // namespace dt::bench
