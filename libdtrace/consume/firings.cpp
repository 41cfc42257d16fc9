// The table of -x firings: fired = filtered + recorded + lost, for each probe and each clause, over all CPUs and
// programs that serve it.
#include "libdtrace/consume/firings.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "libdtrace/output/probe_text.hpp"

namespace dt::consume {

namespace {

constexpr uint32_t kNoStatement = UINT32_MAX;

/// A report of a fault is of the clause that failed.
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

void add(output::Firings& sum, const dt_firings& counters)
{
    sum.fired += counters.begun;
    sum.filtered += counters.filtered;
    sum.recorded += counters.recorded;
    sum.lost += counters.lost;
}

/// What programs took for recorded.
void lose(output::Firings& sum, uint64_t thrown)
{
    const uint64_t lost = std::min<uint64_t>(thrown, sum.recorded);
    sum.recorded -= lost;
    sum.lost += lost;
}

std::vector<output::Firings> most_first(std::vector<output::Firings> all)
{
    std::stable_sort(all.begin(), all.end(),
                     [](const output::Firings& a, const output::Firings& b) { return a.fired > b.fired; });
    return all;
}

} // namespace

void ThrownFirings::add(const Sample& sample, Seen& seen)
{
    if (!wanted_)
        return;
    ++by_clause_[statement_of(sample)];
    if (seen.emplace(sample.cpu, sample.probe).second || !sample.continues)
        ++by_probe_[sample.probe];
}

uint64_t ThrownFirings::of(uint32_t probe) const
{
    return count_of(by_probe_, probe);
}

uint64_t ThrownFirings::of_clause(uint32_t statement) const
{
    return count_of(by_clause_, statement);
}

std::vector<output::Firings> firings_by_probe(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown,
                                              std::optional<uint64_t> cpu, ProbeSource& probes)
{
    std::map<uint32_t, output::Firings> by_probe;
    for (const FiringCounters& each : counters)
        for (std::size_t i = 0; i < each.probes.size() * each.sets; ++i)
            if (!cpu || each.sets == 1 || i / each.probes.size() == *cpu)
                add(by_probe[each.probes[i % each.probes.size()].probe], each.memory[i]);
    output::ProbeTexts texts(probes);
    std::vector<output::Firings> all;
    for (auto& [probe, sum] : by_probe) {
        lose(sum, thrown.of(probe));
        sum.id = probe;
        sum.name = texts.of(probe).name;
        all.push_back(std::move(sum));
    }
    return most_first(std::move(all));
}

std::vector<output::Firings> firings_by_clause(const std::vector<FiringCounters>& counters, const ThrownFirings& thrown,
                                               std::optional<uint64_t> cpu, std::span<const StatementSchema> statements)
{
    std::map<uint32_t, output::Firings> by_clause;
    for (const FiringCounters& each : counters) {
        std::set<uint32_t> run;
        for (const CountedProbe& probe : each.probes)
            run.insert(probe.statements.begin(), probe.statements.end());
        for (uint32_t set = 0; set < each.clause_sets; ++set)
            for (const uint32_t statement : run)
                if (!cpu || each.clause_sets == 1 || set == *cpu)
                    add(by_clause[statement], each.clause_memory[set * each.statements + statement]);
    }
    std::vector<output::Firings> all;
    for (auto& [statement, sum] : by_clause) {
        lose(sum, thrown.of_clause(statement));
        sum.id = statement;
        sum.name = statements[statement].clause;
        all.push_back(std::move(sum));
    }
    return most_first(std::move(all));
}

Result<void> check_firings(const std::vector<output::Firings>& all, const Ledger& ledger)
{
    uint64_t lost = 0, entered = 0;
    for (const output::Firings& each : all) {
        if (!each.adds_up())
            return Error{"firings do not add up: " + each.name + " fired " + std::to_string(each.fired) +
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
