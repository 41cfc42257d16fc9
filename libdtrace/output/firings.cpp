#include "libdtrace/output/firings.hpp"

#include <algorithm>
#include <span>

namespace dt::output {

namespace {

void append_firings(std::string& text, std::span<const Firings> rows, const std::string& heading, const std::string& of)
{
    constexpr std::size_t kColumn = 12;
    const bool has_passed_by =
        std::any_of(rows.begin(), rows.end(), [](const Firings& row) { return row.passed_by != 0; });
    text.append("\n       FIRED     FILTERED     RECORDED         LOST ");
    text.append(has_passed_by ? "   PASSED BY  " : " ").append(heading).append("\n");
    std::size_t silent = 0;
    for (const Firings& row : rows) {
        if (row.fired == 0 && row.adds_up()) {
            ++silent;
            continue;
        }
        const uint64_t counts[] = {row.fired, row.filtered, row.recorded, row.lost, row.passed_by};
        for (const uint64_t count : std::span(counts).first(has_passed_by ? 5 : 4)) {
            const std::string digits = std::to_string(count);
            text.append(digits.size() < kColumn ? kColumn - digits.size() : 0, ' ').append(digits).append(" ");
        }
        text.append(" ").append(row.name).append("\n");
    }
    if (silent != 0)
        text.append(std::to_string(silent) + " " + of + (silent == 1 ? "" : "s") + " did not fire\n");
}

} // namespace

std::string firings_table(std::span<const Firings> clauses, std::span<const Firings> probes)
{
    std::string text;
    append_firings(text, clauses, "CLAUSE", "clause");
    append_firings(text, probes, "PROBE", "probe");
    return text;
}

} // namespace dt::output
