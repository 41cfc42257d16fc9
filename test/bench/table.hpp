// The table the bench prints: a row for each thing measured, with the ratio to something a reader can check, and the budget.
#pragma once

#include <cmath>
#include <string>

namespace dt::bench {

constexpr double absent = NAN;

struct Row {
    std::string what, unit;
    double ours = absent, hand = absent, bpftrace = absent;
    std::string budget;
    /// Most that ours may be, absolutely and as a ratio; `at_least` turns the first into a least.
    double limit = absent, hand_ratio = absent, bpftrace_ratio = absent;
    bool at_least = false;
    std::string note;
};

void print_heading();
void print_row(const Row& row);
void print_problem(const std::string& what, const std::string& problem);

} // namespace dt::bench
