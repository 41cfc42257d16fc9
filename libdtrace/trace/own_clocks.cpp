#include "libdtrace/trace/own_clocks.hpp"

#include <algorithm>
#include <cstdlib>

namespace dt {

void OwnClocks::begin(const Schema& schema, uint64_t now)
{
    clocks_.clear();
    for (const ProgramPlan& program : schema.programs) {
        if (program.plan->kind != ProgramKind::TestRun || program.plan->targets.empty())
            continue;
        const AttachTarget& target = program.plan->targets.front();
        // `where` is the period in ns; for "BEGIN" the result is 0
        const uint64_t period = std::strtoull(target.where.c_str(), nullptr, 10);
        if (period != 0 && target.probe)
            clocks_.push_back({target.probe->full_name(), period, now + period});
    }
}

uint64_t OwnClocks::due() const
{
    uint64_t first = UINT64_MAX;
    for (const Clock& clock : clocks_)
        first = std::min(first, clock.due);
    return first;
}

std::vector<std::string> OwnClocks::take(uint64_t now)
{
    std::vector<std::string> due;
    for (Clock& clock : clocks_)
        if (now >= clock.due) {
            due.push_back(clock.probe);
            clock.due += ((now - clock.due) / clock.period + 1) * clock.period;
        }
    return due;
}

} // namespace dt
