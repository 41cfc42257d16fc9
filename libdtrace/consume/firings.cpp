// The table of -x firings: fired = filtered + recorded + lost, for each probe, over all CPUs and programs that serve
// it.
#include "libdtrace/consume/firings.hpp"

#include <algorithm>
#include <map>

#include "libdtrace/output/probe_text.hpp"

namespace dt::consume {

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
        for (std::size_t i = 0; i < each.probes.size() * each.sets; ++i) {
            if (cpu && each.sets > 1 && i / each.probes.size() != *cpu)
                continue;
            output::Firings& sum = by_probe[each.probes[i % each.probes.size()].probe];
            sum.fired += each.memory[i].begun;
            sum.filtered += each.memory[i].filtered;
            sum.recorded += each.memory[i].recorded;
            sum.lost += each.memory[i].lost;
        }
    output::ProbeTexts texts(probes);
    std::vector<output::Firings> all;
    for (auto& [probe, sum] : by_probe) {
        const uint64_t lost = std::min<uint64_t>(thrown.of(probe), sum.recorded);
        sum.recorded -= lost;
        sum.lost += lost;
        sum.id = probe;
        sum.probe = texts.of(probe).name;
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
                         ", lost " + std::to_string(each.lost)};
        lost += each.lost;
    }
    for (const output::LedgerRow& row : ledger.rows())
        entered += row.kind == output::LossKind::Partly ? 0 : row.count;
    if (lost > entered)
        return Error{"firings do not add up: " + std::to_string(lost) + " lost, and the ledger has " +
                     std::to_string(entered)};
    return {};
}

} // namespace dt::consume
