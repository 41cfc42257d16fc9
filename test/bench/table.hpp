// Table of a benchmark: each row has the figures of a measured case, the ratio to a figure that readers can verify, and
// the budget.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace dt::bench {

constexpr double absent = NAN;

/// Result of a measurement: a single number, or the median of several rounds with their quartiles and minimum.
struct Figure {
    double value = absent, low = absent, high = absent, least = absent;
    Figure(double single = absent) : value(single) {} // implicit, so that a number can be used as a figure
    bool there() const { return !std::isnan(value); }
    bool spread() const { return !std::isnan(low); }
};

/// Returns the median, quartiles and minimum of the values, without absent ones.
Figure figure_of(const std::vector<double>& values);
/// Returns the median, quartiles and minimum of the ratios of all rounds that have both values.
Figure ratio_of(const std::vector<double>& values, const std::vector<double>& to);

struct Row {
    std::string what, unit;
    Figure ours, hand, bpftrace;
    std::string budget;
    /// Budgets for dtrace: a limit for the figure, and limits for its ratios. `at_least` makes `limit` a lower limit.
    double limit = absent, hand_ratio = absent, bpftrace_ratio = absent;
    bool at_least = false;
    std::string note;
    /// Ratios of dtrace to the hand-written program and to bpftrace. If the figures were measured in rounds, each ratio
    /// divides two values of the same round.
    Figure of_hand = {}, of_bpftrace = {};
    /// Guarantee of D that the hand-written program does not give, the figure of a program that gives it, and the ratio
    /// to that figure.
    std::string promises = {};
    Figure promised = {}, of_promised = {};
};

Figure ratio_to_hand(const Row& row);
Figure ratio_to_bpftrace(const Row& row);
/// Returns "within" or "OVER", or an empty string without a limit. "OVER" never fails a test, because shared machines
/// are noisy.
std::string verdict(const Row& row);
/// Returns the value with about three digits, or "-" if it is absent.
std::string number(double value);

void print_heading();
void print_row(const Row& row);
void print_problem(const std::string& what, const std::string& problem);

} // namespace dt::bench
