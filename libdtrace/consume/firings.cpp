// The table of -x firings: fired = filtered + recorded + lost + passed by, for each probe, over all CPUs and programs
// that serve it.
//
// The gate of maxcost stands in front of the counters, and counts what it sees: what did not come through was passed
// by.
#include "libdtrace/consume/firings.hpp"

#include <algorithm>
#include <map>

#include "dcompiler/probes.hpp"

namespace dt::consume {

namespace {

/// At a place, of one CPU where there is a set for each.
dt_firings firings_at(const FiringCounters& counters, std::size_t place, std::optional<uint64_t> cpu)
{
    dt_firings sum{};
    for (uint32_t set = 0; set < counters.sets; ++set) {
        if (cpu && counters.sets > 1 && set != *cpu)
            continue;
        const dt_firings& each = counters.memory[set * counters.probes.size() + place];
        sum.begun += each.begun;
        sum.filtered += each.filtered;
        sum.recorded += each.recorded;
        sum.lost += each.lost;
    }
    return sum;
}

uint64_t seen_at(const FiringCounters& counters, std::size_t place, std::optional<uint64_t> cpu)
{
    uint64_t seen = 0;
    for (uint32_t set = 0; counters.sampling && set < counters.sampling_sets; ++set)
        if (!cpu || counters.sampling_sets == 1 || set == *cpu)
            seen += counters.sampling[set * counters.probes.size() + place].seen;
    return seen;
}

} // namespace

void ThrownFirings::add(const Sample& sample, Seen& seen)
{
    if (wanted_ && (seen.emplace(sample.cpu, sample.probe).second || !sample.continues))
        ++by_probe_[sample.probe];
}

uint64_t ThrownFirings::of(uint32_t probe) const
{
    const auto found = by_probe_.find(probe);
    return found == by_probe_.end() ? 0 : found->second;
}

std::vector<output::Firings> firings_by_probe(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown,
                                              std::optional<uint64_t> cpu, ProbeSource& probes)
{
    std::map<uint32_t, output::Firings> by_probe;
    for (const FiringCounters& each : counters)
        for (std::size_t place = 0; place < each.probes.size(); ++place) {
            const dt_firings here = firings_at(each, place, cpu);
            const uint64_t seen = std::max<uint64_t>(seen_at(each, place, cpu), here.begun);
            output::Firings& sum = by_probe[each.probes[place].probe];
            sum.fired += seen;
            sum.filtered += here.filtered;
            sum.recorded += here.recorded;
            sum.lost += here.lost;
            // Where nothing has begun that could go on, no predicate would have held.
            (each.probes[place].continues ? sum.filtered : sum.passed_by) += seen - here.begun;
        }
    std::vector<output::Firings> all;
    for (auto& [probe, sum] : by_probe) {
        const uint64_t lost = std::min<uint64_t>(thrown.of(probe), sum.recorded);
        sum.recorded -= lost;
        sum.lost += lost;
        sum.id = probe;
        const Probe* const found = probes.probe(probe);
        sum.probe = found ? found->full_name() : ":::";
        all.push_back(std::move(sum));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const output::Firings& a, const output::Firings& b) { return a.fired > b.fired; });
    return all;
}

Result<void> check_firings(const std::vector<output::Firings>& probes, const Ledger& ledger)
{
    uint64_t lost = 0, entered = 0;
    for (const output::Firings& each : probes) {
        if (!each.adds_up())
            return Error{"firings do not add up: " + each.probe + " fired " + std::to_string(each.fired) +
                         ", filtered " + std::to_string(each.filtered) + ", recorded " + std::to_string(each.recorded) +
                         ", lost " + std::to_string(each.lost) + ", passed by " + std::to_string(each.passed_by)};
        lost += each.lost + each.passed_by;
    }
    for (const output::LedgerRow& row : ledger.rows())
        entered += row.kind == output::LossKind::Partly ? 0 : row.count;
    if (lost > entered)
        return Error{"firings do not add up: " + std::to_string(lost) + " lost or passed by, and the ledger has " +
                     std::to_string(entered)};
    return {};
}

} // namespace dt::consume
