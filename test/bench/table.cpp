// Prints the table of a benchmark.
#include "test/bench/table.hpp"

#include <algorithm>
#include <cstdio>

namespace dt::bench {

namespace {

bool exceeds(double value, double most)
{
    return !std::isnan(value) && !std::isnan(most) && value > most;
}

// Returns a quantile, interpolated between neighbouring values.
double quantile(const std::vector<double>& sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string spread(const char* name, const Figure& figure)
{
    if (!figure.spread())
        return {};
    return std::string("  ") + name + " " + number(figure.low) + " to " + number(figure.high) + ", least " +
           number(figure.least);
}

} // namespace

std::string number(double value)
{
    if (std::isnan(value))
        return "-";
    char text[32];
    const int digits = std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : 2;
    std::snprintf(text, sizeof(text), "%.*f", digits, value);
    return text;
}

Figure figure_of(const std::vector<double>& values)
{
    std::vector<double> sorted;
    for (const double value : values)
        if (!std::isnan(value))
            sorted.push_back(value);
    std::sort(sorted.begin(), sorted.end());
    Figure figure;
    if (sorted.empty())
        return figure;
    figure.value = quantile(sorted, 0.5);
    figure.low = quantile(sorted, 0.25);
    figure.high = quantile(sorted, 0.75);
    figure.least = sorted.front();
    return figure;
}

Figure ratio_of(const std::vector<double>& values, const std::vector<double>& to)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(values.size(), to.size()); i++)
        ratios.push_back(values[i] / to[i]);
    return figure_of(ratios);
}

Figure ratio_to_hand(const Row& row)
{
    return row.of_hand.there() ? row.of_hand : Figure(row.ours.value / row.hand.value);
}

Figure ratio_to_bpftrace(const Row& row)
{
    return row.of_bpftrace.there() ? row.of_bpftrace : Figure(row.ours.value / row.bpftrace.value);
}

std::string verdict(const Row& row)
{
    const bool nothing_asked = std::isnan(row.limit) && std::isnan(row.hand_ratio) && std::isnan(row.bpftrace_ratio);
    if (!row.ours.there() || nothing_asked)
        return "";
    bool over = row.at_least ? row.ours.value < row.limit : exceeds(row.ours.value, row.limit);
    over = over || exceeds(ratio_to_hand(row).value, row.hand_ratio) ||
           exceeds(ratio_to_bpftrace(row).value, row.bpftrace_ratio);
    return over ? "OVER" : "within";
}

void print_heading()
{
    std::printf("%-66s %-8s %9s %9s %9s %8s %9s  %-34s %s\n", "", "", "dtrace", "by hand", "bpftrace", "/ hand",
                "/ bpftr.", "budget", "");
}

void print_row(const Row& row)
{
    const auto shown = [](const Figure& figure) { return number(figure.value); };
    std::printf("%-66s %-8s %9s %9s %9s %8s %9s  %-34s %s\n", row.what.c_str(), row.unit.c_str(),
                shown(row.ours).c_str(), shown(row.hand).c_str(), shown(row.bpftrace).c_str(),
                shown(ratio_to_hand(row)).c_str(), shown(ratio_to_bpftrace(row)).c_str(), row.budget.c_str(),
                verdict(row).c_str());
    const std::string spreads = spread("dtrace", row.ours) + spread("by hand", row.hand) +
                                spread("bpftrace", row.bpftrace) + spread("/ hand", row.of_hand);
    if (!spreads.empty())
        std::printf("  quartiles:%s\n", spreads.c_str());
    if (row.promised.there())
        std::printf("  by hand, with %s: %s, / %s\n", row.promises.c_str(), number(row.promised.value).c_str(),
                    number(row.of_promised.value).c_str());
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
