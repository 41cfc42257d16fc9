// Table of a benchmark. Each row shows what was measured, the result, its ratio to another program's result that
// readers can verify, and the budget (limit) for it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace dt::bench {

constexpr double absent = NAN;

/// Result of a measurement: a single number, or the median of several rounds with their quartiles and minimum.
struct Figure {
    double value = absent, low = absent, high = absent, least = absent;
    Figure(double single = absent) : value(single) {} // implicit, so that a number can be used as a Figure
    bool there() const { return !std::isnan(value); }
    bool spread() const { return !std::isnan(low); }
};

/// Returns the median, quartiles and minimum of the values. Ignores absent values.
Figure figure_of(const std::vector<double>& values);
/// Returns the median, quartiles and minimum of the ratios values / to. Ignores rounds in which one of them is absent.
Figure ratio_of(const std::vector<double>& values, const std::vector<double>& to);

struct Row {
    std::string what, unit;
    Figure ours, hand, bpftrace;
    std::string budget;
    /// Budgets for dtrace: a limit for its result, and limits for its ratios to the other programs. If `at_least` is
    /// true, `limit` is a lower limit.
    double limit = absent, hand_ratio = absent, bpftrace_ratio = absent;
    bool at_least = false;
    std::string note;
    /// Ratios of dtrace's result to the results of the hand-written program and of bpftrace. If they were measured in
    /// rounds, each ratio divides two results of the same round.
    Figure of_hand = {}, of_bpftrace = {};
    /// `promises` names a guarantee of D that the hand-written program `hand` does not give. `promised` is the result
    /// of another hand-written program that gives it; `of_promised` is the ratio to that result.
    std::string promises = {};
    Figure promised = {}, of_promised = {};
};

Figure ratio_to_hand(const Row& row);
Figure ratio_to_bpftrace(const Row& row);
/// Returns "within" or "OVER": whether the row keeps its budget. Returns an empty string if the row has no limit.
/// "OVER" never fails a test, because shared machines are noisy.
std::string verdict(const Row& row);
/// Returns the value with about three digits, or "-" if it is absent.
std::string number(double value);

void print_heading();
void print_row(const Row& row);
void print_problem(const std::string& what, const std::string& problem);

} // namespace dt::bench
