// The expected number of ticks is the active time divided by the period, on each CPU.
#include "libdtrace/consume/skipped_ticks.hpp"

#include <algorithm>

namespace dt::consume {

uint64_t skipped_ticks(std::span<const ProgramPlan> programs, std::span<const output::Firings> firings, uint64_t active,
                       uint64_t cpus)
{
    uint64_t skipped = 0;
    for (const output::Firings& probe : firings) {
        uint64_t expected = 0, serving = 0;
        for (const ProgramPlan& program : programs) {
            const bool is_clock = program.plan && program.plan->period != 0 && !program.plan->is_kept;
            if (!is_clock || std::find(program.probes.begin(), program.probes.end(), probe.id) == program.probes.end())
                continue;
            expected = (active / program.plan->period) * (program.plan->by_the_clock ? 1 : cpus);
            ++serving;
        }
        if (serving != 0)
            skipped += expected - std::min(expected, probe.fired / serving + cpus);
    }
    return skipped;
}

} // namespace dt::consume
