// Measures what one traced event costs the traced loop, in nanoseconds per call.
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

/// Type of a function that attaches the hand-written programs.
using ByHand = std::function<std::unique_ptr<Hand>()>;
/// Returns a function that attaches the program with this name in hand.bpf.c.
ByHand program_by_hand(const std::string& program);
/// Returns a function that attaches all programs of an object file.
ByHand object_by_hand(const std::string& path);

/// Returns the ns per call that hand-written programs add. If the programs cannot run, returns absent and sets
/// `problem`.
double added_by_hand(const ByHand& by_hand, std::string& problem);

/// Measures one row of the cost table and adds it to the report.
/// - Each round loads all programs again. Hand-written and compiled programs alternate on one task; each is attached
///   for some milliseconds. The result of the round is the median over these alternations.
/// - bpftrace cannot be detached from outside. So it is started and ended with the same task, in every fourth round.
/// - The row shows median, quartiles and minimum of the rounds, and ratios between results of the same round.
/// If `promised` is given, it attaches further hand-written programs, which give all guarantees of D (PROMISED in
/// cost/hand.h).
void measure_cost(const Bench& bench, Row row, const ByHand& by_hand, const TracedScript& ours,
                  const std::optional<Words>& bpftrace, const ByHand& promised = {});

} // namespace dt::bench
