#include "libdtrace/results/estimate_report.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"

namespace dt::output {

namespace {

constexpr std::size_t kMaxRows = 20;
constexpr double kHundred = 100, kMillisecondsOfSecond = 1e3, kBytesOfMegabyte = 1 << 20;
// Number of records per second whose printing needs one whole CPU (docs/performance.md, benchmark "storm").
constexpr double kPrintedBySecond = 10e6;
constexpr double kPermille = 1e3, kMillionths = 1e6, kPicoseconds = 1e3, kNanosecondsOfSecond = 1e9;

std::string decimals(double value, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string column(const std::string& text, std::size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text + ' ';
}

uint64_t rounded(double value)
{
    return static_cast<uint64_t>(value + 0.5);
}

std::string whole(double value)
{
    return grouped(rounded(value));
}

/// Returns the fraction of a CPU that is needed to print the records.
double printing(const Estimate& estimate)
{
    return estimate.samples * estimate.scale() / kPrintedBySecond;
}

std::string rows(const Estimate& estimate)
{
    std::string text = "\n   FIRINGS/S  PASSED       NS  OUTSIDE  % OF A CPU  PROBE\n";
    for (std::size_t i = 0; i < std::min(estimate.probes.size(), kMaxRows); ++i) {
        const EstimatedProbe& probe = estimate.probes[i];
        text += column(whole(probe.rate), 12) + column(decimals(kHundred * probe.passed, 0) + " %", 7) +
                column(decimals(probe.program, probe.program < 1000 ? 1 : 0), 8) +
                column(probe.outside ? decimals(*probe.outside, *probe.outside < 1000 ? 1 : 0) : "-", 8) +
                column(decimals(kHundred * probe.share(), 3), 11) + " " + probe.name + "\n";
    }
    if (estimate.probes.size() > kMaxRows)
        text += "             and " + grouped(estimate.probes.size() - kMaxRows) + " other probes that fired\n";
    return text;
}

} // namespace

double Estimate::share() const
{
    double share = 0;
    for (const EstimatedProbe& probe : probes)
        share += probe.share();
    return share * scale();
}

std::string estimate_table(const Estimate& estimate)
{
    if (!estimate.needs.empty())
        return "\nprobes: " + grouped(estimate.all) + "; estimating their cost needs " + estimate.needs + "\n";
    const double share = estimate.share();
    std::string text = estimate.probes.empty() ? "\n" : rows(estimate) + "\n";
    text += "expected: " + decimals(kHundred * share, 3) + " % of a CPU, " +
            decimals(kHundred * share / estimate.cpus, 3) + " % of the machine" +
            (estimate.has_other_predicates
                 ? " (upper bound: some predicates cannot be evaluated in advance and count as true)"
                 : "") +
            (estimate.knows_all_outside ? "" : ", without the cost outside of the programs") + "\n";
    text += "records: " + whole(estimate.samples * estimate.scale()) + " a second, " +
            decimals(estimate.sample_bytes * estimate.scale() / kBytesOfMegabyte, 1) +
            " MB; printing them takes about " + decimals(kHundred * printing(estimate), 1) + " % of a CPU\n";
    text += "probes: " + grouped(estimate.all) + ", of which " + grouped(estimate.probes.size()) + " fired in " +
            decimals(estimate.seconds, 1) + " s; attached in " +
            decimals(kMillisecondsOfSecond * estimate.scale() * estimate.attaching, 0) + " ms\n";
    if (estimate.counted < estimate.all)
        text += "only " + grouped(estimate.counted) +
                " of them, chosen at random, were counted, because this kernel attaches them one by one: totals are "
                "their sums times " +
                decimals(estimate.scale(), 1) + "\n";
    return text;
}

std::string detached_line(double seconds)
{
    return "\ndetached in " + decimals(kMillisecondsOfSecond * seconds, 0) + " ms\n";
}

NamedNumbers named_numbers(const EstimatedProbe& probe)
{
    std::optional<uint64_t> outside;
    if (probe.outside)
        outside = rounded(kPicoseconds * *probe.outside);
    return {{"firings_per_second", rounded(probe.rate)},
            {"passed_permille", rounded(kPermille * probe.passed)},
            {"program_ps", rounded(kPicoseconds * probe.program)},
            {"outside_ps", outside},
            {"cpu_ppm", rounded(kMillionths * probe.share())}};
}

NamedNumbers named_numbers(const Estimate& estimate)
{
    if (!estimate.needs.empty())
        return {{"probes", estimate.all}};
    const double scale = estimate.scale(), share = estimate.share();
    return {{"probes", estimate.all},
            {"cpu_ppm", rounded(kMillionths * share)},
            {"machine_ppm", rounded(kMillionths * share / estimate.cpus)},
            {"cpus", estimate.cpus},
            {"records_per_second", rounded(estimate.samples * scale)},
            {"record_bytes_per_second", rounded(estimate.sample_bytes * scale)},
            {"printing_cpu_ppm", rounded(kMillionths * printing(estimate))},
            {"counted", estimate.counted},
            {"fired", estimate.probes.size()},
            {"scale_permille", rounded(kPermille * scale)},
            {"counted_ns", rounded(kNanosecondsOfSecond * estimate.seconds)},
            {"attaching_ns", rounded(kNanosecondsOfSecond * scale * estimate.attaching)}};
}

std::pair<std::string_view, uint64_t> named_detaching(double seconds)
{
    return {"detaching_ns", rounded(kNanosecondsOfSecond * seconds)};
}

} // namespace dt::output
