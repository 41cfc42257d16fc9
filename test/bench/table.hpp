// The table the bench prints: a row for each thing measured, with the ratio to something a reader can check, and the
// budget.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace dt::bench {

constexpr double absent = NAN;

/// What was measured of one thing: a number alone, or the median of several rounds with its quartiles and the least.
struct Figure {
    double value = absent, low = absent, high = absent, least = absent;
    Figure(double single = absent) : value(single) {} // a plain number is a figure
    bool there() const { return !std::isnan(value); }
    bool spread() const { return !std::isnan(low); }
};

/// Of the values that are there.
Figure figure_of(const std::vector<double>& values);
/// Of the ratios of the rounds in which both are there.
Figure ratio_of(const std::vector<double>& values, const std::vector<double>& to);

struct Row {
    std::string what, unit;
    Figure ours, hand, bpftrace;
    std::string budget;
    /// Most that ours may be, absolutely and as a ratio; `at_least` turns the first into a least.
    double limit = absent, hand_ratio = absent, bpftrace_ratio = absent;
    bool at_least = false;
    std::string note;
    /// Of rounds, where the figures are; otherwise of the figures.
    Figure of_hand = {}, of_bpftrace = {};
    /// What D promises beside the program by hand; the figure of one that keeps it, and the ratio to that.
    std::string promises = {};
    Figure promised = {}, of_promised = {};
};

Figure ratio_to_hand(const Row& row);
Figure ratio_to_bpftrace(const Row& row);
/// "within" or "OVER"; empty where nothing is asked. Never a pass or a failure of a test: a shared machine is noisy. It
/// tells where to look.
std::string verdict(const Row& row);
/// Three digits or so; "-" for what is absent.
std::string number(double value);

void print_heading();
void print_row(const Row& row);
void print_problem(const std::string& what, const std::string& problem);

} // namespace dt::bench
