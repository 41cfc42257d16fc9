#include "libdtrace/output/firings.hpp"

namespace dt::output {

namespace {

void append_firings(std::string& text, std::span<const Firings> rows, const std::string& heading, const std::string& of)
{
    constexpr std::size_t kColumn = 12;
    text.append("\n       FIRED     FILTERED     RECORDED         LOST  ").append(heading).append("\n");
    std::size_t silent = 0;
    for (const Firings& row : rows) {
        if (row.fired == 0 && row.adds_up()) {
            ++silent;
            continue;
        }
        for (const uint64_t count : {row.fired, row.filtered, row.recorded, row.lost}) {
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
