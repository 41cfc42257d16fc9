// Printing of the bench's table.
#include "test/bench/table.hpp"

#include <cstdio>

namespace dt::bench {

namespace {

std::string number(double value)
{
    if (std::isnan(value))
        return "-";
    char text[32];
    int digits = std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : 2;
    std::snprintf(text, sizeof(text), "%.*f", digits, value);
    return text;
}

bool exceeds(double value, double most)
{
    return !std::isnan(value) && !std::isnan(most) && value > most;
}

// Never a pass or a failure of a test: a shared machine is noisy. It tells where to look.
const char* verdict(const Row& row)
{
    if (std::isnan(row.ours))
        return "";
    bool over = row.at_least ? row.ours < row.limit : exceeds(row.ours, row.limit);
    over = over || exceeds(row.ours / row.hand, row.hand_ratio) || exceeds(row.ours / row.bpftrace, row.bpftrace_ratio);
    return over ? "OVER" : "within";
}

} // namespace

void print_heading()
{
    std::printf("%-66s %-8s %9s %9s %9s %8s %9s  %-34s %s\n", "", "", "dtrace", "by hand", "bpftrace", "/ hand", "/ bpftr.", "budget", "");
}

void print_row(const Row& row)
{
    std::printf("%-66s %-8s %9s %9s %9s %8s %9s  %-34s %s\n", row.what.c_str(), row.unit.c_str(), number(row.ours).c_str(), number(row.hand).c_str(),
                number(row.bpftrace).c_str(), number(row.ours / row.hand).c_str(), number(row.ours / row.bpftrace).c_str(), row.budget.c_str(), verdict(row));
    if (!row.note.empty())
        std::printf("    %s\n", row.note.c_str());
    std::fflush(stdout);
}

void print_problem(const std::string& what, const std::string& problem)
{
    std::printf("%-66s could not be measured: %s\n", what.c_str(), problem.c_str());
    std::fflush(stdout);
}

} // namespace dt::bench
