// The table of -x hits: fired = filtered + recorded + lost + sampled out, for each probe and clause, over all CPUs and
// programs. The last part of the file estimates missed timer ticks.
//
// With maxcost, sampling skips firings before these counters count them, but another counter counts all firings. The
// difference is the column "sampled out".
#include "libdtrace/losses/hit_counts.hpp"

#include <algorithm>
#include <cstring>

#include "dcompiler/interface/probes.hpp"

namespace dt::consume {

namespace {

constexpr uint32_t kNoStatement = UINT32_MAX;

/// Returns the statement id of the clause that wrote a sample; for a fault report, the clause that failed.
uint32_t statement_of(const Sample& sample)
{
    if (sample.stmt != DT_STMT_FAULT)
        return sample.stmt;
    dt_fault fault{};
    if (sample.size < sizeof fault)
        return kNoStatement;
    std::memcpy(&fault, sample.data, sizeof fault);
    return fault.stmt;
}

uint64_t count_of(const std::map<uint32_t, uint64_t>& counts, uint32_t id)
{
    const auto found = counts.find(id);
    return found == counts.end() ? 0 : found->second;
}

void add(output::HitCounts& sum, const dt_hits& counters)
{
    sum.fired += counters.begun;
    sum.filtered += counters.filtered;
    sum.recorded += counters.recorded;
    sum.lost += counters.lost;
}

/// Subtracts the discarded firings from the recorded ones and adds them to the lost ones: programs recorded them, but
/// the consumer dropped their samples.
void lose(output::HitCounts& sum, uint64_t discarded_hits)
{
    const uint64_t lost = std::min<uint64_t>(discarded_hits, sum.recorded);
    sum.recorded -= lost;
    sum.lost += lost;
}

std::vector<output::HitCounts> most_first(std::vector<output::HitCounts> all)
{
    std::stable_sort(all.begin(), all.end(),
                     [](const output::HitCounts& a, const output::HitCounts& b) { return a.fired > b.fired; });
    return all;
}

/// Calls `act` with the index of each counter set. If `cpu` is given and each CPU has a counter set, calls `act` only
/// for the set of that CPU.
template <typename Act> void for_each_set(uint32_t sets, std::optional<uint64_t> cpu, const Act& act)
{
    for (uint32_t set = 0; set < sets; ++set)
        if (!cpu || sets == 1 || set == *cpu)
            act(set);
}

/// Returns the counts of a probe (a counter slot), including firings that sampling has skipped.
output::HitCounts firings_at(const HitCounters& counters, std::size_t place, std::optional<uint64_t> cpu)
{
    output::HitCounts sum;
    for_each_set(counters.sets, cpu,
                 [&](uint32_t set) { add(sum, counters.memory[set * counters.probes.size() + place]); });
    uint64_t seen = 0;
    if (counters.sampling)
        for_each_set(counters.sampling_sets, cpu,
                     [&](uint32_t set) { seen += counters.sampling[set * counters.probes.size() + place].seen; });
    // If sampling has skipped the start of an entry/return pair, it also skips the end. If such an end were executed,
    // its predicate would be false, so these firings count as filtered.
    if (seen > sum.fired) {
        (counters.probes[place].continues ? sum.filtered : sum.sampled_out) += seen - sum.fired;
        sum.fired = seen;
    }
    return sum;
}

} // namespace

void DiscardedHits::add(const Sample& sample, Seen& seen)
{
    if (!wanted_)
        return;
    ++by_clause_[statement_of(sample)];
    if (seen.emplace(sample.cpu, sample.probe).second || !sample.continues)
        ++by_probe_[sample.probe];
}

uint64_t DiscardedHits::of(uint32_t probe) const
{
    return count_of(by_probe_, probe);
}

uint64_t DiscardedHits::of_clause(uint32_t statement) const
{
    return count_of(by_clause_, statement);
}

std::vector<output::HitCounts> firings_by_probe(const std::vector<HitCounters>& counters,
                                                const DiscardedHits& discarded_hits, std::optional<uint64_t> cpu,
                                                ProbeSource& probes, Firing which)
{
    std::map<uint32_t, output::HitCounts> by_probe;
    for (const HitCounters& each : counters)
        for (std::size_t place = 0; place < each.probes.size(); ++place) {
            const output::HitCounts here = firings_at(each, place, cpu);
            if (which == Firing::Seen && here.fired == 0 && here.adds_up())
                continue;
            output::HitCounts& sum = by_probe[each.probes[place].probe];
            sum.fired += here.fired;
            sum.filtered += here.filtered;
            sum.recorded += here.recorded;
            sum.lost += here.lost;
            sum.sampled_out += here.sampled_out;
        }
    std::vector<output::HitCounts> all;
    for (auto& [probe, sum] : by_probe) {
        lose(sum, discarded_hits.of(probe));
        sum.id = probe;
        const Probe* const found = probes.probe(probe);
        sum.name = found ? found->full_name() : ":::";
        all.push_back(std::move(sum));
    }
    return most_first(std::move(all));
}

std::vector<output::HitCounts> firings_by_clause(const std::vector<HitCounters>& counters,
                                                 const DiscardedHits& discarded_hits, std::optional<uint64_t> cpu,
                                                 std::span<const StatementSchema> statements)
{
    std::map<uint32_t, output::HitCounts> by_clause;
    for (const HitCounters& each : counters) {
        std::set<uint32_t> run;
        for (const CountedProbe& probe : each.probes)
            run.insert(probe.statements.begin(), probe.statements.end());
        for_each_set(each.clause_sets, cpu, [&](uint32_t set) {
            for (const uint32_t statement : run)
                add(by_clause[statement], each.clause_memory[set * each.statements + statement]);
        });
    }
    std::vector<output::HitCounts> all;
    for (auto& [statement, sum] : by_clause) {
        lose(sum, discarded_hits.of_clause(statement));
        sum.id = statement;
        sum.name = statements[statement].clause;
        all.push_back(std::move(sum));
    }
    return most_first(std::move(all));
}

Result<void> check_hits(const std::vector<output::HitCounts>& all, const DropStats& drops)
{
    uint64_t lost = 0, entered = 0;
    for (const output::HitCounts& each : all) {
        if (!each.adds_up())
            return Error{"firings do not add up: " + each.name + " fired " + std::to_string(each.fired) +
                         ", filtered " + std::to_string(each.filtered) + ", recorded " + std::to_string(each.recorded) +
                         ", lost " + std::to_string(each.lost) + ", sampled out " + std::to_string(each.sampled_out)};
        lost += each.lost + each.sampled_out;
    }
    for (const output::DropRow& row : drops.rows())
        entered += row.kind == output::LossKind::Partly ? 0 : row.count;
    if (lost > entered)
        return Error{"firings do not add up: " + std::to_string(lost) +
                     " were lost or sampled out, but the drop reasons account for " + std::to_string(entered)};
    return {};
}

// On each CPU, the expected number of ticks is the time of tracing divided by the period.

uint64_t missed_ticks(std::span<const ProgramPlan> programs, std::span<const output::HitCounts> firings,
                      uint64_t active, uint64_t cpus)
{
    uint64_t skipped = 0;
    for (const output::HitCounts& probe : firings) {
        uint64_t expected = 0, serving = 0;
        for (const ProgramPlan& program : programs) {
            const bool is_clock = program.plan && program.plan->period != 0 && !program.plan->counts_runs;
            if (!is_clock || std::find(program.probes.begin(), program.probes.end(), probe.id) == program.probes.end())
                continue;
            expected = (active / program.plan->period) * (program.plan->is_asynchronous ? 1 : cpus);
            ++serving;
        }
        if (serving != 0)
            skipped += expected - std::min(expected, probe.fired / serving + cpus);
    }
    return skipped;
}

} // namespace dt::consume
