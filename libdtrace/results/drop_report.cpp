// Formats the report of losses (-x drops) and the report of outcomes of firings (-x hits) as text.
#include "libdtrace/results/drop_report.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "base/time.hpp"

namespace dt::output {

namespace {

constexpr std::size_t kCountColumn = 12, kUnitColumn = 23;

bool counts_as_lost(const DropRow& row)
{
    return row.kind == LossKind::Lost && row.count != 0 && !row.estimated;
}

/// Returns the time in seconds, for example "1.204".
std::string seconds_text(uint64_t ns)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) / static_cast<double>(kSecond));
    return text;
}

/// Returns a text with the CPUs and the time range of a loss; the report prints it after the cause of the loss.
std::string place_text(const DropRow& row, uint64_t begin)
{
    std::string text;
    if (row.by_cpu.size() == 1)
        text += ", on CPU " + std::to_string(row.by_cpu.begin()->first);
    else if (!row.by_cpu.empty())
        text += ", on " + std::to_string(row.by_cpu.size()) + " CPUs";
    if (begin != 0 && row.count != 0)
        text += ", between " + seconds_text(row.first - std::min(begin, row.first)) + " and " +
                seconds_text(row.last - std::min(begin, row.last)) + " s";
    return text;
}

} // namespace

std::string lost_interval_text(const LostInterval& gap, bool reproducible)
{
    std::string text = grouped(gap.count) + (gap.cause == "speculation" ? " speculative" : "") + " lost here";
    if (reproducible)
        return text;
    char time[32];
    std::snprintf(time, sizeof time, ", %.1f ms",
                  static_cast<double>(gap.to - gap.from) / static_cast<double>(kMillisecond));
    return text + time;
}

std::string_view name_of_kind(LossKind kind)
{
    switch (kind) {
    case LossKind::Lost:
        return "lost";
    case LossKind::Partly:
        return "partly";
    case LossKind::Wanted:
        return "wanted";
    }
    return {};
}

bool has_losses(std::span<const DropRow> rows)
{
    return std::any_of(rows.begin(), rows.end(), counts_as_lost);
}

std::string losses_text(std::span<const DropRow> rows)
{
    std::string text;
    for (const DropRow& row : rows)
        if (counts_as_lost(row))
            text.append(text.empty() ? "lost: " : ", ")
                .append(grouped(row.count))
                .append(" ")
                .append(row.count == 1 ? row.one : row.several)
                .append(" (")
                .append(row.text)
                .append(")");
    return text;
}

std::string drop_table(std::span<const DropRow> rows, uint64_t begin)
{
    std::string text = "\n       COUNT  OF                      CAUSE\n";
    for (const DropRow& row : rows) {
        const std::string count = row.countable || row.count != 0 ? grouped(row.count) : "-";
        text.append(count.size() < kCountColumn ? kCountColumn - count.size() : 0, ' ').append(count).append("  ");
        const std::string_view unit = row.count == 1 ? row.one : row.several;
        text.append(unit).append(unit.size() < kUnitColumn ? kUnitColumn - unit.size() : 0, ' ').append(" ");
        text.append(row.cause).append(": ").append(row.text);
        text.append(row.estimated    ? "; estimated"
                    : row.countable  ? ""
                    : row.count == 0 ? "; cannot be counted on this kernel"
                                     : "; a minimum, because this kernel cannot count all of them")
            .append(place_text(row, begin))
            .append("\n");
    }
    return text;
}

namespace {

void append_firings(std::string& text, std::span<const HitCounts> rows, const std::string& heading,
                    const std::string& of)
{
    constexpr std::size_t kColumn = 12;
    const bool has_sampled_out =
        std::any_of(rows.begin(), rows.end(), [](const HitCounts& row) { return row.sampled_out != 0; });
    text.append("\n       FIRED     FILTERED     RECORDED         LOST ");
    text.append(has_sampled_out ? " SAMPLED OUT  " : " ").append(heading).append("\n");
    std::size_t silent = 0;
    for (const HitCounts& row : rows) {
        if (row.fired == 0 && row.adds_up()) {
            ++silent;
            continue;
        }
        const uint64_t counts[] = {row.fired, row.filtered, row.recorded, row.lost, row.sampled_out};
        for (const uint64_t count : std::span(counts).first(has_sampled_out ? 5 : 4)) {
            const std::string digits = std::to_string(count);
            text.append(digits.size() < kColumn ? kColumn - digits.size() : 0, ' ').append(digits).append(" ");
        }
        text.append(" ").append(row.name).append("\n");
    }
    if (silent != 0)
        text.append(std::to_string(silent) + " " + of + (silent == 1 ? "" : "s") + " did not fire\n");
}

} // namespace

std::string firings_table(std::span<const HitCounts> clauses, std::span<const HitCounts> probes)
{
    std::string text;
    append_firings(text, clauses, "CLAUSE", "clause");
    append_firings(text, probes, "PROBE", "probe");
    return text;
}

} // namespace dt::output
