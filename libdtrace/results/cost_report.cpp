// Formats the cost report as text: clauses, probes and memory.
#include "libdtrace/results/cost_report.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"

namespace dt::output {

namespace {

constexpr double kCostPercent = 100, kCostSecond = 1e9, kCostMegabyte = 1 << 20;
constexpr uint64_t kCostKilobyte = 1 << 10;
// Limit of extrapolation. Hook overhead was measured twice, on an idle and on a busy core. At most this multiple of the
// difference of both results is added to the result on the idle core.
constexpr double kMaxBusy = 1.25;
// If a CPU becomes slower, hook overhead grows only by this fraction of the slowdown; the time of pure computation
// grows by all of it.
constexpr double kOfPace = 2.0 / 3;
// maximum factor between two measured CPU speeds; a larger factor means that the measurement was disturbed
constexpr double kMaxPace = 2;

/// Returns the text, right-aligned in a table column and followed by a space.
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

/// Formats an amount of memory, for example "8.0 MB of at most 60.1". Omits "of at most" if `most` is 0.
std::string megabytes(uint64_t bytes, uint64_t most)
{
    const std::string text = fixed(static_cast<double>(bytes) / kCostMegabyte, 1) + " MB";
    return most == 0 ? text : text + " of at most " + fixed(static_cast<double>(most) / kCostMegabyte, 1);
}

std::string nanoseconds(double value)
{
    return fixed(value, value < 1000 ? 1 : 0);
}

/// Formats the columns that clauses and probes have in common.
std::string firings_and_times(const Cost& row, double elapsed)
{
    return right((row.is_estimate ? "~" : "") + grouped(row.fired), 12) +
           right(number(static_cast<double>(row.fired) * kCostSecond / elapsed), 10) +
           right(nanoseconds(row.program.mean), 8) + right(number(row.program.p99), 8) +
           right(number(row.program.most), 10);
}

std::string share(const Cost& row, double elapsed)
{
    return right(fixed(kCostPercent * row.total() / elapsed, 3), 11);
}

void append_clauses(std::string& text, const std::vector<Cost>& rows, double elapsed)
{
    text += "\n     FIRINGS  FIRINGS/S       NS      P99       MOST  % OF A CPU   INSNS STACK  MAPS KB  CLAUSE\n";
    for (const Cost& row : rows) {
        text += firings_and_times(row, elapsed) + share(row, elapsed);
        text += right(row.size ? grouped(row.size->instructions) : "-", 7);
        text += right(row.size ? grouped(row.size->stack) : "-", 5);
        text += right(row.size ? grouped((row.size->maps + kCostKilobyte - 1) / kCostKilobyte) : "-", 8);
        text += " " + row.name + "\n";
    }
}

void append_probes(std::string& text, const std::vector<Cost>& rows, double elapsed)
{
    text += "\n     FIRINGS  FIRINGS/S       NS      P99       MOST  OUTSIDE  % OF A CPU  PROBE\n";
    for (const Cost& row : rows)
        text += firings_and_times(row, elapsed) + right(row.outside ? nanoseconds(row.outside->ns) : "-", 8) +
                share(row, elapsed) + " " + row.name + "\n";
}

} // namespace

HookOverhead HookOverhead::at(double now) const
{
    if (now <= 0 || speed <= 0 || ns <= 0)
        return *this;
    HookOverhead price = *this;
    if (busy_speed > speed)
        price.ns += (busy - ns) * std::clamp((now - speed) / (busy_speed - speed), 0.0, kMaxBusy);
    else
        price.ns *= 1 + kOfPace * (std::clamp(now / speed, 1 / kMaxPace, kMaxPace) - 1);
    price.spread *= price.ns / ns;
    return price;
}

std::string cost_table(const CostReport& report)
{
    std::string text;
    const auto elapsed = static_cast<double>(report.elapsed ? report.elapsed : 1);
    append_clauses(text, report.clauses, elapsed);
    std::vector<Cost> probes = report.probes;
    probes.insert(probes.end(), report.others.begin(), report.others.end());
    append_probes(text, probes, elapsed);
    double programs = 0, error = 0;
    uint64_t timed = 0, fired = 0;
    for (const Cost& probe : probes) {
        programs += probe.total();
        error += probe.error();
    }
    for (const Cost& probe : report.probes) {
        timed += probe.program.timed;
        fired += probe.fired;
    }
    const double traced = programs / elapsed, tracer = static_cast<double>(report.tracer_time) / elapsed;
    text += "\ntraced: " + fixed(kCostPercent * traced, 3) + " % of a CPU, " +
            fixed(kCostPercent * traced / report.cpus, 3) + " % of the machine" +
            (report.knows_all_outside ? "" : ", without the cost outside of the programs") + "\n";
    text += "tracer: " + fixed(kCostPercent * tracer, 3) + " % of a CPU, " +
            megabytes(report.tracer_memory, report.max_memory.tracer) + ", and in the kernel " +
            megabytes(report.kernel_memory, report.max_memory.kernel) + "\n";
    text += "timed: " + grouped(timed) + " of " + grouped(fired) + " firings; reading the clock took " +
            fixed(kCostPercent * report.timing / elapsed, 3) + " % of a CPU; error of the total " +
            fixed(programs > 0 ? kCostPercent * error / programs : 0, 1) + " %\n";
    return text;
}

namespace {

constexpr std::size_t kBytesColumn = 15, kFewParts = 3;

std::string memory_row(uint64_t bytes, const std::string& rest)
{
    const std::string number = grouped(bytes);
    return std::string(kBytesColumn - std::min(kBytesColumn, number.size()), ' ') + number + "  " + rest + "\n";
}

void sort_largest_first(std::vector<MemoryPart>& parts)
{
    std::stable_sort(parts.begin(), parts.end(),
                     [](const MemoryPart& a, const MemoryPart& b) { return a.most > b.most; });
}

} // namespace

MemorySum sum(std::span<const MemoryPart> parts)
{
    MemorySum sum;
    for (const MemoryPart& part : parts)
        (part.in_kernel ? sum.kernel : sum.tracer) += part.most;
    return sum;
}

std::string memory_table(std::vector<MemoryPart> parts)
{
    sort_largest_first(parts);
    std::string text = "\n   BYTES AT MOST  MEMORY\n";
    for (const MemoryPart& part : parts)
        text += memory_row(part.most,
                           std::string(part.in_kernel ? "kernel: " : "tracer: ") + part.name + " (" + part.bound + ")");
    const MemorySum all = sum(parts);
    text += memory_row(all.all(),
                       "in all: " + grouped(all.kernel) + " in the kernel, " + grouped(all.tracer) + " in the tracer");
    return text;
}

std::string largest_parts(std::vector<MemoryPart> parts)
{
    sort_largest_first(parts);
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), kFewParts); ++i)
        text.append(i == 0 ? "" : ", ")
            .append(parts[i].name)
            .append(" ")
            .append(grouped(parts[i].most))
            .append(" (")
            .append(parts[i].bound)
            .append(")");
    return text;
}

} // namespace dt::output
