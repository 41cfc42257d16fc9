#include "libdtrace/output/firings.hpp"

#include <algorithm>
#include <vector>

namespace dt::output {

std::string firings_table(std::span<const Firings> probes)
{
    constexpr std::size_t kColumn = 12;
    const bool has_passed_by =
        std::any_of(probes.begin(), probes.end(), [](const Firings& probe) { return probe.passed_by != 0; });
    std::string text = "\n       FIRED     FILTERED     RECORDED         LOST ";
    text += has_passed_by ? "   PASSED BY  PROBE\n" : " PROBE\n";
    std::size_t silent = 0;
    for (const Firings& probe : probes) {
        if (probe.fired == 0 && probe.adds_up()) {
            ++silent;
            continue;
        }
        std::vector<uint64_t> counts = {probe.fired, probe.filtered, probe.recorded, probe.lost};
        if (has_passed_by)
            counts.push_back(probe.passed_by);
        for (const uint64_t count : counts) {
            const std::string digits = std::to_string(count);
            text.append(digits.size() < kColumn ? kColumn - digits.size() : 0, ' ').append(digits).append(" ");
        }
        text.append(" ").append(probe.probe).append("\n");
    }
    if (silent != 0)
        text.append(std::to_string(silent)).append(silent == 1 ? " probe did not fire\n" : " probes did not fire\n");
    return text;
}

} // namespace dt::output
