// The table of -x firings: fired = filtered + recorded + lost, for each probe, over all CPUs and programs that serve it.
#include "libdtrace/consume/firings.hpp"

#include <algorithm>
#include <map>

#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/probe_text.hpp"

namespace dt::consume {

namespace {

struct FiringsLine {
    uint32_t probe = 0;
    dt_firings sum{};

    uint64_t fired() const { return sum.filtered + sum.recorded + sum.lost; }
};

std::vector<FiringsLine> sums(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown, std::optional<uint64_t> cpu)
{
    std::map<uint32_t, FiringsLine> by_probe;
    for (const FiringCounters& each : counters)
        for (std::size_t i = 0; i < each.probes.size() * each.sets; ++i) {
            if (cpu && each.sets > 1 && i / each.probes.size() != *cpu)
                continue;
            const uint32_t probe = each.probes[i % each.probes.size()];
            FiringsLine& line = by_probe[probe];
            line.probe = probe;
            line.sum.filtered += each.memory[i].filtered;
            line.sum.recorded += each.memory[i].recorded;
            line.sum.lost += each.memory[i].lost;
        }
    std::vector<FiringsLine> lines;
    for (auto& [probe, line] : by_probe) {
        const uint64_t lost = std::min<uint64_t>(thrown.of(probe), line.sum.recorded);
        line.sum.recorded -= lost;
        line.sum.lost += lost;
        lines.push_back(line);
    }
    std::stable_sort(lines.begin(), lines.end(), [](const FiringsLine& a, const FiringsLine& b) { return a.fired() > b.fired(); });
    return lines;
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

void print_firings(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown, std::optional<uint64_t> cpu, ProbeSource& probes, Output& output)
{
    output::ProbeTexts texts(probes);
    const std::vector<FiringsLine> lines = sums(counters, thrown, cpu);
    std::string text = "\n       FIRED     FILTERED     RECORDED         LOST  PROBE\n";
    std::size_t silent = 0;
    for (const FiringsLine& line : lines) {
        if (line.fired() == 0) {
            ++silent;
            continue;
        }
        for (const uint64_t count :
             {line.fired(), static_cast<uint64_t>(line.sum.filtered), static_cast<uint64_t>(line.sum.recorded), static_cast<uint64_t>(line.sum.lost)}) {
            const std::string digits = std::to_string(count);
            text.append(digits.size() < 12 ? 12 - digits.size() : 0, ' ').append(digits).append(" ");
        }
        text.append(" ").append(texts.of(line.probe).name).append("\n");
    }
    if (silent != 0)
        text.append(std::to_string(silent)).append(silent == 1 ? " probe did not fire\n" : " probes did not fire\n");
    output::say_lines(output, text);
}

} // namespace dt::consume
