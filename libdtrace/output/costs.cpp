#include "libdtrace/output/costs.hpp"

#include <cstdio>

#include "base/text.hpp"

namespace dt::output {

namespace {

constexpr double kPercent = 100, kNsOfSecond = 1e9, kMegabyte = 1 << 20;

/// In front of the text, so that the column is as wide.
std::string right(const std::string& text, std::size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text + ' ';
}

std::string number(double value)
{
    return grouped(static_cast<uint64_t>(value + 0.5));
}

std::string fixed(double value, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

void append_rows(std::string& text, const CostReport& report, const std::vector<Cost>& rows, const char* of)
{
    const auto elapsed = static_cast<double>(report.elapsed ? report.elapsed : 1);
    text += "\n     FIRINGS  FIRINGS/S       NS      P99       MOST  OUTSIDE  % OF A CPU  " + std::string(of) + "\n";
    for (const Cost& row : rows) {
        text += right(grouped(row.fired), 12);
        text += right(number(static_cast<double>(row.fired) * kNsOfSecond / elapsed), 10);
        text += right(fixed(row.program.mean, row.program.mean < 1000 ? 1 : 0), 8);
        text += right(number(row.program.p99), 8);
        text += right(number(row.program.most), 10);
        text += right(row.outside ? fixed(*row.outside, *row.outside < 1000 ? 1 : 0) : "-", 8);
        text += right(fixed(kPercent * row.total() / elapsed, 3), 11);
        text += " " + row.name + "\n";
    }
}

} // namespace

std::string cost_table(const CostReport& report)
{
    std::string text;
    append_rows(text, report, report.clauses, "CLAUSE");
    append_rows(text, report, report.probes, "PROBE");
    const auto elapsed = static_cast<double>(report.elapsed ? report.elapsed : 1);
    double programs = 0, error = 0;
    uint64_t timed = 0, fired = 0;
    for (const Cost& probe : report.probes) {
        programs += probe.total();
        error += probe.total() * probe.program.error;
        timed += probe.program.timed;
        fired += probe.fired;
    }
    const double share = programs / elapsed, tracer = static_cast<double>(report.tracer_time) / elapsed;
    text += "\ntraced: " + fixed(kPercent * share, 3) + " % of a CPU, " + fixed(kPercent * share / report.cpus, 3) +
            " % of the machine" + (report.knows_all_outside ? "" : ", without what is outside of the programs") + "\n";
    text += "tracer: " + fixed(kPercent * tracer, 3) + " % of a CPU, " +
            fixed(static_cast<double>(report.tracer_memory) / kMegabyte, 1) + " MB, and " +
            fixed(static_cast<double>(report.kernel_memory) / kMegabyte, 1) + " MB in the kernel\n";
    text += "timed: " + grouped(timed) + " of " + grouped(fired) + " firings, which took " +
            fixed(kPercent * report.timing / elapsed, 3) + " % of a CPU; error of the sum " +
            fixed(programs > 0 ? kPercent * error / programs : 0, 1) + " %\n";
    return text;
}

} // namespace dt::output
