// Computes the cost report: sums the counters of all CPUs for each probe, and computes the statistical error of each
// sum. Extrapolates the firings of programs that count only in sampling windows, and adds the sizes of clauses.
#include "libdtrace/cost/cost_counters.hpp"

#include <algorithm>
#include <bpf/libbpf.h>
#include <cmath>
#include <ctime>
#include <unistd.h>

#include "base/time.hpp"
#include "libdtrace/load/map_sizes.hpp"

namespace dt::consume {

namespace {

constexpr double kP99 = 0.99;
// A firing that takes longer than this multiple of the median is assumed to have been interrupted.
constexpr double kUsual = 4;

/// Returns the lower bound of a bucket of the time distribution in ns.
double begin_of(std::size_t bucket)
{
    if (bucket < 4)
        return static_cast<double>(bucket);
    return static_cast<double>((4 + bucket % 4) << (bucket / 4 - 1));
}

double middle_of(std::size_t bucket)
{
    return bucket < 4 ? begin_of(bucket) : (begin_of(bucket) + begin_of(bucket + 1)) / 2;
}

uint64_t firings_of(const dt_cost_times& times)
{
    uint64_t sum = 0;
    for (const uint64_t count : times.firings)
        sum += count;
    return sum;
}

void add(dt_cost_times& sum, const dt_cost_times& other)
{
    sum.timed += other.timed;
    sum.ns += other.ns;
    sum.most = std::max(sum.most, other.most);
    for (std::size_t i = 0; i < DT_COST_BUCKETS; ++i)
        sum.firings[i] += other.firings[i];
}

/// Returns the relative standard error of the mean of the sampled times.
double error_of(const dt_cost_times& times, double mean)
{
    const auto all = static_cast<double>(firings_of(times));
    if (all == 0 || times.timed < 2 || mean <= 0)
        return 0;
    double squares = 0;
    for (std::size_t i = 0; i < DT_COST_BUCKETS; ++i)
        squares += static_cast<double>(times.firings[i]) * std::pow(middle_of(i) - mean, 2);
    return std::sqrt(squares / all / static_cast<double>(times.timed)) / mean;
}

output::Times times_of(const dt_cost_times& times)
{
    output::Times result;
    const auto all = static_cast<double>(firings_of(times));
    result.mean = all == 0 ? 0 : static_cast<double>(times.ns) / all;
    result.most = static_cast<double>(times.most);
    result.p99 = std::min(quantile(times, kP99), result.most);
    result.error = error_of(times, result.mean);
    result.timed = times.timed;
    return result;
}

std::vector<output::Cost> costliest_first(std::vector<output::Cost> costs)
{
    std::erase_if(costs, [](const output::Cost& cost) { return cost.fired == 0; });
    std::stable_sort(costs.begin(), costs.end(),
                     [](const output::Cost& a, const output::Cost& b) { return a.total() > b.total(); });
    return costs;
}

/// Returns how many firings of a probe (a counter slot) were sampled out: all firings minus `taken`, the executed ones.
uint64_t sampled_out_at(const CostCounters& counters, std::size_t place, uint64_t taken)
{
    uint64_t seen = 0;
    for (uint32_t set = 0; counters.sampling && set < counters.sampling_sets; ++set)
        seen += counters.sampling[set * counters.places.size() + place].seen;
    return seen > taken ? seen - taken : 0;
}

bool has_fired(const CostCounters& counters, std::size_t place)
{
    for (uint32_t set = 0; set < counters.sets; ++set)
        if (counters.costs[set * counters.stride() + place].fired != 0)
            return true;
    return sampled_out_at(counters, place, 0) != 0;
}

/// Estimated number of firings of a probe (a counter slot). The first slots belong to probes; the slots after them
/// count program runs in which no probe fired.
struct Fired {
    double all = 0, error = 0;
    bool is_estimate = false;
};

/// Returns the number of firings of a probe (a counter slot), with its statistical error. Firings counted in sampling
/// windows are extrapolated to the whole trace. The statistical error combines the error of the extrapolation factor
/// with the error of counting only some firings.
Fired fired_at(const CostCounters& counters, std::size_t place, std::optional<uint32_t> timing_switch)
{
    double whole = 0, sampled = 0;
    for (uint32_t set = 0; set < counters.sets; ++set) {
        const dt_cost& cost = counters.costs[set * counters.stride() + place];
        sampled += static_cast<double>(cost.sampled);
        whole += static_cast<double>(cost.fired) - static_cast<double>(cost.sampled);
    }
    if (!timing_switch || sampled == 0)
        return {whole + sampled};
    const SampledCount& estimate = counters.timing_switches[*timing_switch];
    const double window_weight = sampled * estimate.factor;
    return {std::max(whole, 0.0) + window_weight,
            std::hypot(window_weight * estimate.error, std::sqrt(sampled * estimate.weight)), true};
}

std::string name_of_others(HookKind hook)
{
    switch (hook.way) {
    case HookKind::Path::SyscallEntry:
        return "(other system calls)";
    case HookKind::Path::SyscallExit:
        return "(returns of other system calls)";
    default:
        return "(program runs at these hooks that are no firing)";
    }
}

void add(output::Cost& cost, const Fired& fired, uint64_t firings)
{
    cost.fired += firings;
    cost.fired_error = std::hypot(cost.fired_error, fired.error);
    cost.is_estimate |= fired.is_estimate;
}

uint64_t own_time()
{
    return static_cast<uint64_t>(now_ns(CLOCK_PROCESS_CPUTIME_ID));
}

} // namespace

double quantile(const dt_cost_times& times, double part)
{
    const double wanted = part * static_cast<double>(firings_of(times));
    double below = 0;
    for (std::size_t i = 0; i < DT_COST_BUCKETS; ++i) {
        const auto here = static_cast<double>(times.firings[i]);
        if (here > 0 && below + here >= wanted)
            return begin_of(i) + (begin_of(i + 1) - begin_of(i)) * (wanted - below) / here;
        below += here;
    }
    return 0;
}

double usual_time(const dt_cost_times& times)
{
    const double most = kUsual * quantile(times, 0.5);
    double firings = 0, ns = 0;
    for (std::size_t i = 0; i < DT_COST_BUCKETS && middle_of(i) <= most; ++i) {
        firings += static_cast<double>(times.firings[i]);
        ns += static_cast<double>(times.firings[i]) * middle_of(i);
    }
    return firings > 0 ? ns / firings : 0;
}

Result<void> Costs::open(const LoadedMaps& maps, const Schema& schema)
{
    const LoadedMap* const costs = maps.section(DT_SECTION_COSTS);
    const LoadedMap* const times = maps.section(DT_SECTION_COST_TIMES);
    if (!costs || !times)
        return {};
    for (const LoadedMap& map : maps)
        maps_.try_emplace(map_id(map.descriptor), Map{map.descriptor, map.name});
    CostCounters counters;
    counters.places = schema.counted;
    counters.sets = schema.cost_sets;
    counters.statements = schema.statements.size();
    counters.others = schema.others;
    for (const LoadedMap* each : {costs, times})
        if (Result<void> opened = memory_.emplace_back().open(*each, 1); !opened)
            return opened;
    counters.costs = static_cast<const dt_cost*>(std::next(memory_.rbegin())->memory());
    counters.times = static_cast<const dt_cost_times*>(memory_.back().memory());
    counters.times_of_places =
        times->value_size >= (counters.statements + counters.places.size()) * sizeof(dt_cost_times);
    if (const LoadedMap* const sampling = maps.section(DT_SECTION_SAMPLING)) {
        if (Result<void> opened = memory_.emplace_back().open(*sampling, 1); !opened)
            return opened;
        counters.sampling = static_cast<const dt_sampling*>(memory_.back().memory());
        counters.sampling_sets = schema.sampling_sets;
    }
    counters_.push_back(std::move(counters));
    for (SharedMap& each : memory_)
        each.hide();
    return {};
}

void Costs::add(const dt_cost* costs, const dt_cost_times* times)
{
    if (counters_.empty() || !costs || !times)
        return;
    CostCounters counters = counters_.front();
    counters.costs = costs;
    counters.times = times;
    counters.sampling_sets = 0;
    counters.sampling = nullptr;
    counters_.push_back(std::move(counters));
}

void Costs::begin(uint64_t now)
{
    began_ = now;
    time_before_ = own_time();
}

void Costs::end(uint64_t active)
{
    active_ = active;
    time_until_end_ = own_time() - time_before_;
}

HookOverheads overheads_at(HookOverheads overheads, double speed)
{
    for (auto& [hook, price] : overheads)
        price = price.at(speed);
    return overheads;
}

std::vector<output::Cost> costs_by_probe(const std::vector<CostCounters>& counters, const HookOverheads& overheads,
                                         ProbeSource& probes)
{
    struct Sum {
        output::Cost cost;
        uint64_t counted = 0, ns = 0;
        output::HookOverhead outside; // sum of the hook overheads of all firings
        bool is_priced = true;
        dt_cost_times times{};
    };
    std::map<uint32_t, Sum> sums;
    for (const CostCounters& each : counters)
        for (std::size_t place = 0; place < each.places.size(); ++place) {
            // most probes of a large trace never fire, and creating a Sum for each of them would be slow
            if (!has_fired(each, place))
                continue;
            Sum& sum = sums[each.places[place].probe];
            const auto price = overheads.find(each.places[place].hook);
            const Fired count = fired_at(each, place, each.places[place].timing_switch);
            const auto taken = static_cast<uint64_t>(count.all + 0.5);
            for (uint32_t set = 0; set < each.sets; ++set) {
                const dt_cost& cost = each.costs[set * each.stride() + place];
                sum.counted += cost.counted;
                sum.ns += cost.ns;
                sum.cost.program.timed += cost.timed;
            }
            const uint64_t sampled_out = sampled_out_at(each, place, taken), fired = taken + sampled_out;
            add(sum.cost, count, fired);
            sum.cost.sampled_out += sampled_out;
            if (price != overheads.end()) {
                sum.outside.ns += static_cast<double>(fired) * price->second.ns;
                sum.outside.spread += static_cast<double>(fired) * price->second.spread;
            }
            sum.is_priced &= fired == 0 || price != overheads.end();
            if (each.times_of_places)
                add(sum.times, each.times[each.statements + place]);
            sum.cost.statements = each.places[place].statements;
        }
    std::vector<output::Cost> all;
    for (auto& [probe, sum] : sums) {
        if (sum.cost.fired == 0)
            continue;
        const uint64_t timed = sum.cost.program.timed;
        sum.cost.program = times_of(sum.times);
        sum.cost.program.timed = timed;
        sum.cost.program.mean = sum.counted == 0 ? 0 : static_cast<double>(sum.ns) / static_cast<double>(sum.counted);
        if (sum.is_priced)
            sum.cost.outside = output::HookOverhead{sum.outside.ns / static_cast<double>(sum.cost.fired),
                                                    sum.outside.spread / static_cast<double>(sum.cost.fired)};
        sum.cost.id = probe;
        const Probe* const found = probes.probe(probe);
        sum.cost.name = found ? found->full_name() : ":::";
        all.push_back(std::move(sum.cost));
    }
    return costliest_first(std::move(all));
}

std::vector<output::Cost> costs_of_others(const std::vector<CostCounters>& counters, const HookOverheads& overheads)
{
    std::map<HookKind, output::Cost> sums;
    for (const CostCounters& each : counters)
        for (std::size_t i = 0; i < each.others.size(); ++i) {
            const std::size_t own = each.others[i].timing_switch;
            const bool is_own = each.timing_switches[own].factor != 1 || each.timing_switches[own].weight > 1;
            const Fired count =
                fired_at(each, each.places.size() + i, static_cast<uint32_t>(is_own ? own : DT_TIMING_SWITCH_OTHER));
            output::Cost& cost = sums[each.others[i].hook];
            add(cost, count, static_cast<uint64_t>(count.all + 0.5));
        }
    std::vector<output::Cost> all;
    for (auto& [hook, cost] : sums) {
        if (const auto price = overheads.find(hook); price != overheads.end())
            cost.outside = price->second;
        cost.name = name_of_others(hook);
        all.push_back(std::move(cost));
    }
    return costliest_first(std::move(all));
}

std::vector<output::Cost> costs_by_clause(const std::vector<CostCounters>& counters,
                                          std::span<const StatementSchema> statements)
{
    std::vector<dt_cost_times> times(statements.size());
    std::vector<output::Cost> all(statements.size());
    for (const CostCounters& each : counters) {
        for (std::size_t i = 0; i < std::min(each.statements, statements.size()); ++i)
            add(times[i], each.times[i]);
        for (std::size_t place = 0; place < each.places.size(); ++place) {
            const Fired count = fired_at(each, place, each.places[place].timing_switch);
            for (const uint32_t statement : each.places[place].statements)
                if (statement < all.size())
                    add(all[statement], count, static_cast<uint64_t>(count.all + 0.5));
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].id = static_cast<uint32_t>(i);
        all[i].name = statements[i].clause;
        all[i].program = times_of(times[i]);
    }
    return costliest_first(std::move(all));
}

void add_sizes(std::vector<output::Cost>& clauses, const ClauseSizes& sizes, const std::map<uint32_t, uint64_t>& maps)
{
    for (output::Cost& clause : clauses) {
        const auto size = sizes.find(clause.id);
        if (size == sizes.end())
            continue;
        clause.size = {size->second.instructions, size->second.stack, 0};
        for (const uint32_t map : size->second.maps)
            if (const auto found = maps.find(map); found != maps.end())
                clause.size->maps += found->second;
    }
}

std::map<uint32_t, uint64_t> Costs::memory_of_maps(const OtherMemory& other) const
{
    std::map<uint32_t, uint64_t> bytes;
    for (const auto& [id, map] : maps_) {
        const auto grown = other.grown.find(map.name);
        bytes[id] = map_memory(map.descriptor) + (grown == other.grown.end() ? 0 : grown->second);
    }
    return bytes;
}

output::CostReport Costs::report(uint64_t now, std::span<const StatementSchema> statements, ProbeSource& probes,
                                 const OtherMemory& other) const
{
    const std::map<uint32_t, uint64_t> maps = memory_of_maps(other);
    output::CostReport report;
    const Shown shown(memory_);
    if (!shown)
        return report;
    std::vector<CostCounters> counters = counters_;
    const CostEstimate estimate = estimate_ ? estimate_() : CostEstimate{};
    // objects that were added to the running trace do not use timing switches, so their counts need no extrapolation
    if (!counters.empty())
        counters.front().timing_switches = estimate.timing_switches;
    const HookOverheads overheads = overheads_at(overheads_, estimate.speed);
    report.clauses = costs_by_clause(counters, statements);
    add_sizes(report.clauses, sizes_, maps);
    report.probes = costs_by_probe(counters, overheads, probes);
    report.others = costs_of_others(counters, overheads);
    report.knows_all_outside = std::all_of(report.probes.begin(), report.probes.end(),
                                           [](const output::Cost& cost) { return cost.outside.has_value(); });
    report.elapsed = active_ != 0 ? active_ : now - began_;
    report.cpus = static_cast<uint32_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
    report.tracer_time = active_ != 0 ? time_until_end_ : own_time() - time_before_;
    report.tracer_memory = own_memory();
    report.max_memory = max_memory_;
    report.kernel_memory = other.buffers;
    for (const auto& [id, bytes] : maps)
        report.kernel_memory += bytes;
    for (const CostCounters& each : counters_)
        for (std::size_t place = 0; place < each.stride() * each.sets; ++place)
            report.timing += static_cast<double>(each.costs[place].reading);
    return report;
}

} // namespace dt::consume
