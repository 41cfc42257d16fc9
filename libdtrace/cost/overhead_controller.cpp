#include "libdtrace/cost/overhead_controller.hpp"

#include <algorithm>
#include <bpf/libbpf.h>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <utility>

#include "base/time.hpp"
#include "probes/attach/attach.hpp"

namespace dt {

namespace {

constexpr uint64_t kLookNs = 100 * kMillisecond;
// a program's firing rate is measured only after the program was attached for this number of ns
constexpr uint64_t kSeenNs = 5 * kMillisecond;
// Assumed overhead in ns of a hook that was not measured: kUnknownCall for a tracepoint, kUnknownTrap for a uprobe.
constexpr double kUnknownCall = 200, kUnknownTrap = 5000;
constexpr uint64_t kOthersMore = 4;
// The speed of a CPU is measured if at least this many firings occurred on it in the last sampling window.
constexpr uint64_t kFiringsOfScale = 1000;
constexpr int kMaxScalesAtOnce = 4; // maximum number of CPUs whose speed is measured after a sampling window
// number of measurements whose median is used, because a single measurement may be an outlier
constexpr std::size_t kLooksToBelieve = 3;
// If a program has more counter slots than this, its distribution of times is not read, because all distributions would
// be read ten times a second.
constexpr std::size_t kMaxTimed = 64;
constexpr double kReportedError = 0.02; // a total's relative error is reported if it is larger than this
constexpr double kPercent = 100, kPermille = 1000;

uint64_t budget_cpu_time()
{
    return static_cast<uint64_t>(now_ns(CLOCK_PROCESS_CPUTIME_ID));
}

/// Returns whether the hook makes all system calls take a slower path in the kernel.
bool is_at_calls(HookKind hook)
{
    return hook.way == HookKind::Path::SyscallEntry || hook.way == HookKind::Path::SyscallExit;
}

/// Returns whether no other program of the object serves the same probes. Programs that serve the same probes must be
/// attached together.
bool serves_alone(const Schema& schema, const ProgramPlan& plan)
{
    return std::count_if(schema.programs.begin(), schema.programs.end(),
                         [&](const ProgramPlan& other) { return other.probes == plan.probes; }) == 1;
}

/// Returns whether the new sampling rate must be reported, because it differs much from the last reported rate.
bool is_news(const SamplingRate& reported, const SamplingRate& sampling_rate)
{
    const auto differs = [](double a, double b) { return a > 2.5 * b || b > 2.5 * a; };
    return (sampling_rate == SamplingRate{}) != (reported == SamplingRate{}) ||
           (sampling_rate.share == 0) != (reported.share == 0) ||
           differs(static_cast<double>(sampling_rate.every), static_cast<double>(reported.every)) ||
           differs(sampling_rate.share, reported.share);
}

std::string percent(double part)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %%", part < 0.1 ? 2 : 0, part * kPercent);
    return text;
}

} // namespace

std::string share_text(double cpus_taken, uint32_t cpus)
{
    return percent(cpus_taken / cpus);
}

OverheadController::OverheadController(const Schema& schema, double limit, uint32_t cpus,
                                       consume::HookOverheads overheads, OverheadActions actions)
    : schema_(schema), limit_(limit > 0 ? limit : -limit * cpus), cpus_(cpus), overheads_(std::move(overheads)),
      actions_(std::move(actions)), governor_(limit_, 0)
{
    for (const auto& [hook, price] : overheads_)
        call_ = std::max(call_, price.call);
}

Result<void> OverheadController::open(const LoadedMaps& maps, uint64_t now)
{
    const LoadedMap* const sampling = maps.section(DT_SECTION_SAMPLING);
    const LoadedMap* const costs = maps.section(DT_SECTION_COSTS);
    if (!sampling || !costs)
        return {}; // no program has probes, so there is no load to limit
    if (Result<void> opened = sampling_memory_.open(*sampling, 1); !opened)
        return opened;
    if (Result<void> opened = cost_memory_.open(*costs, 1); !opened)
        return opened;
    sampling_ = static_cast<dt_sampling*>(sampling_memory_.memory());
    costs_ = static_cast<const dt_cost*>(cost_memory_.memory());
    const LoadedMap* const times = maps.section(DT_SECTION_COST_TIMES);
    const std::size_t statements = schema_.statements.size();
    if (times && times->value_size >= (statements + schema_.counted.size()) * sizeof(dt_cost_times)) {
        if (Result<void> opened = time_memory_.open(*times, 1); !opened)
            return opened;
        times_ = static_cast<const dt_cost_times*>(time_memory_.memory()) + statements;
    }
    if (!actions_.of_target.empty())
        target_time_.open(actions_.target);
    for (const bool continues : {false, true})
        for (const ProgramPlan& plan : schema_.programs)
            if (!plan.is_helper && !plan.probes.empty() && probes::mechanism_for(plan.plan->kind))
                add(plan, continues, now);
    if (schema_.sampling_sets >= cpus_)
        for (ThrottledGroup& each : groups_)
            each.cpus.resize(schema_.sampling_sets);
    latency_scales_.resize(schema_.sampling_sets);
    governor_ = Governor(limit_, groups_.size());
    weighted_after_end_.resize(schema_.counted.size());
    began_ = last_look_ = now;
    waited_before_ = waited_for_cpus();
    tracer_time_ = budget_cpu_time();
    return {};
}

/// Adds some probes of a program to a throttled group (programs with a common sampling rate): if `continues` is true,
/// the probes that end entry/return pairs, otherwise all other probes. Has no effect if the program has no such probes.
void OverheadController::add(const ProgramPlan& plan, bool continues, uint64_t now)
{
    std::vector<uint32_t> places;
    for (std::size_t i = 0; i < plan.plan->probes.size(); ++i)
        if (const auto place = static_cast<uint32_t>(plan.first_counted + i);
            schema_.counted[place].continues == continues)
            places.push_back(place);
    if (places.empty())
        return;
    const auto price = overheads_.find(plan.plan->hook_kind());
    const auto is_pair = [](const ThrottledGroup& each) { return each.members.front().plan->pairs; };
    auto into = plan.pairs ? std::find_if(groups_.begin(), groups_.end(), is_pair) : groups_.end();
    if (into == groups_.end()) {
        into = groups_.emplace(into);
        into->of_target = target_time_.is_open();
        into->cpu_switched = target_time_.read();
    }
    const auto is_of_plan = [&](const Member& each) { return each.plan == &plan; };
    const bool is_new = std::none_of(into->members.begin(), into->members.end(), is_of_plan);
    Member& member = into->members.emplace_back();
    member.plan = &plan;
    member.continues = continues;
    member.places = std::move(places);
    member.has_times = times_ && member.places.size() <= kMaxTimed;
    member.is_measured = price != overheads_.end();
    const bool is_trap = plan.plan->kind_info().target == TargetKind::Instruction;
    member.outside = member.is_measured ? price->second.ns : is_trap ? kUnknownTrap : kUnknownCall;
    member.spread = member.is_measured ? price->second.spread : 0;
    const double call = member.is_measured ? price->second.call : 0;
    if (call > 0) // converts the overhead, which may have been measured at a different CPU speed, to the present speed
        member.outside *= call_ / call;
    into->follows_calls &= call > 0;
    if (is_new)
        into->name += (into->name.empty() ? "" : ", ") + actions_.name(plan);
    into->of_target &= std::all_of(member.places.begin(), member.places.end(), [&](uint32_t place) {
        const auto& runs = schema_.counted[place].statements;
        return std::all_of(runs.begin(), runs.end(), [&](uint32_t id) { return actions_.of_target.count(id) != 0; });
    });
    into->may_detach &= !plan.tick && serves_alone(schema_, plan);
    into->switched = now;
}

OverheadController::Counted OverheadController::count(const Member& each) const
{
    Counted sum;
    for_each_counter(each, schema_.sampling_sets, [&](std::size_t place) {
        sum.seen += sampling_[place].seen;
        sum.weighted += sampling_[place].total_weight;
    });
    for_each_counter(each, schema_.cost_sets, [&](std::size_t place) {
        sum.taken += costs_[place].fired;
        sum.timed += costs_[place].counted;
        sum.ns += costs_[place].ns;
    });
    for (std::size_t i = 0; each.has_times && i < each.places.size(); ++i)
        for (std::size_t bucket = 0; bucket < DT_COST_BUCKETS; ++bucket)
            sum.times.firings[bucket] += times_[each.places[i]].firings[bucket];
    return sum;
}

/// Returns the time in ns of an executed firing since the last measurement, or 0 if none was timed. If few firings were
/// timed, a single firing that was interrupted can make the mean many times larger. So interrupted firings are ignored
/// if the distribution of times is known.
double OverheadController::program_ns(const Member& each, const Counted& counted)
{
    if (!each.has_times) {
        const auto timed = static_cast<double>(counted.timed - each.last.timed);
        return timed > 0 ? static_cast<double>(counted.ns - each.last.ns) / timed : 0;
    }
    dt_cost_times since{};
    for (std::size_t i = 0; i < DT_COST_BUCKETS; ++i)
        since.firings[i] = counted.times.firings[i] - each.last.times.firings[i];
    return consume::usual_time(since);
}

/// Measures the load of a group of programs since the last measurement, if the group was attached for long enough.
/// Firings that end entry/return pairs are not included in the firing rate.
void OverheadController::learn(ThrottledGroup& each, uint64_t now)
{
    if (each.attached)
        each.on += now - std::max(each.switched, last_look_);
    if (each.on < kSeenNs)
        return;
    // `begun` and `taken`: numbers of all firings and of executed firings, without ends of entry/return pairs.
    // `programs`, `outside` and `measured` are times in ns.
    double begun = 0, taken = 0, programs = 0, outside = 0, measured = 0;
    for (Member& member : each.members) {
        const Counted counted = count(member);
        const auto since = [&](uint64_t Counted::*what) {
            return static_cast<double>(counted.*what - member.last.*what);
        };
        if (!member.continues) {
            begun += since(&Counted::seen);
            taken += since(&Counted::taken);
        }
        outside += since(&Counted::seen) * member.outside;
        measured += member.is_measured ? since(&Counted::seen) * member.outside : 0;
        if (const double ns = program_ns(member, counted); ns > 0)
            member.program = ns;
        programs += since(&Counted::taken) * member.program;
        member.last = counted;
    }
    each.load.rate = begun * static_cast<double>(kSecond) / static_cast<double>(each.on);
    each.load.outside =
        outside / std::max(begun, 1.0) * (each.follows_calls ? mean_latency_scale() * mean_cold_cache_factor(each) : 1);
    each.outside = measured / std::max(begun, 1.0);
    if (taken > 0) {
        (each.every > 1 ? each.sampled : each.whole).add(programs / taken);
        each.load.program = (each.every > 1 ? each.sampled : each.whole).middle(kLooksToBelieve);
        // If only some firings are executed, they find cold caches and take longer. But the governor needs the time
        // that a firing takes if all firings are executed.
        if (const double whole = each.whole.middle(); each.every > 1 && whole > 0)
            each.load.program = std::min(each.load.program, whole);
    }
    const ProgramPlan& plan = *each.members.front().plan;
    each.load.may_sample = plan.may_sample;
    each.load.keeps_state = plan.keeps_state || !each.may_detach;
    each.on = 0;
}

void OverheadController::check(uint64_t now)
{
    std::vector<ProgramLoad> loads;
    double taken = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        look_before_windows(groups_[i], now);
        learn(groups_[i], now);
        loads.push_back(groups_[i].load);
        const SamplingRate& sampling_rate = governor_.rates()[i];
        taken += sampling_rate.share * loads[i].rate / static_cast<double>(kSecond) *
                 firing_ns(loads[i].outside, loads[i].program, sampling_rate.every);
    }
    const uint64_t time = budget_cpu_time();
    const double elapsed = static_cast<double>(std::max<uint64_t>(now - last_look_, 1));
    const double tracer = static_cast<double>(time - tracer_time_) / elapsed;
    last_look_ = now;
    tracer_time_ = time;
    const std::vector<SamplingRate> before = governor_.rates();
    const std::vector<SamplingRate>& rates = governor_.decide(loads, tracer, elapsed / static_cast<double>(kSecond));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (!(rates[i] == before[i]))
            set_sampling_rate(groups_[i], rates[i], now);
        if (is_news(groups_[i].reported, rates[i]))
            report_group(groups_[i], rates[i], taken + tracer);
    }
    enter_losses(now);
}

void OverheadController::set_sampling_rate(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now)
{
    write_sampling_interval(each, sampling_rate.every);
    each.every = sampling_rate.every;
    if (sampling_rate.share >= 1) {
        if (!each.attached)
            attach(each, true, sampling_rate, now);
        return;
    }
    const bool in_window = each.scale > 1;
    if (!each.attached || (in_window && sampling_rate.share > 0))
        return;
    if (!in_window) { // without sampling windows, the weight of each firing up to now was 1
        each.covered = static_cast<double>(now);
        each.span = 0;
    }
    attach(each, false, sampling_rate, now);
    if (!in_window)
        begin_windows(each, sampling_rate);
}

/// Sets the sampling interval of a group's probes. Rare probes of the group execute all their firings, because each of
/// these firings is important. All rare probes together may cost at most a quarter of what the other probes cost.
void OverheadController::write_sampling_interval(const ThrottledGroup& each, uint64_t every)
{
    std::map<std::size_t, uint64_t> seen; // number of firings for each counter slot, summed over all CPUs
    uint64_t all = 0;
    for_each_sampling(each, [&](const Member&, std::size_t place, const dt_sampling& sampling) {
        seen[place % schema_.counted.size()] += sampling.seen;
        all += sampling.seen;
    });
    std::vector<std::pair<uint64_t, std::size_t>> rarest_first;
    for (const auto& [place, count] : seen)
        rarest_first.emplace_back(count, place);
    std::sort(rarest_first.begin(), rarest_first.end());
    std::set<std::size_t> whole;
    uint64_t sum = 0;
    for (const auto& [count, place] : rarest_first) {
        sum += count;
        if (sum * kOthersMore * every > all)
            break;
        whole.insert(place);
    }
    for_each_sampling(each, [&](const Member&, std::size_t place, dt_sampling& sampling) {
        sampling.period = whole.contains(place % schema_.counted.size()) ? 1 : every;
        if (sampling.period <= 1)
            // the number of the next executed firing was computed with the old sampling interval, so it is not valid
            // anymore; 0 makes the program compute it again
            sampling.next_sampled = 0;
    });
}

/// Returns the hook overhead of a firing on a CPU in ns. Hook overhead that was not measured counts as 0, because
/// totals must not depend on guesses.
double OverheadController::hook_overhead_on(const ThrottledGroup& each, const SamplingRate& sampling_rate,
                                            std::size_t cpu) const
{
    return firing_ns(each.outside * latency_scales_[cpu].factor(each.follows_calls ? call_ : 0),
                     (sampling_rate.every > 1 ? each.sampled : each.whole).middle(), sampling_rate.every);
}

/// Measures the speed of CPUs on which the last window had many firings, a few CPUs at a time. Does nothing if a
/// program is attached to system calls, because the measuring system call must take the untraced path.
void OverheadController::measure_cpu_speeds(const ThrottledGroup& each)
{
    const auto is_in_the_way = [](const ThrottledGroup& other) {
        return other.attached && std::any_of(other.members.begin(), other.members.end(), [](const Member& member) {
                   return is_at_calls(member.plan->plan->hook_kind());
               });
    };
    if (call_ <= 0 || std::any_of(groups_.begin(), groups_.end(), is_in_the_way))
        return;
    int taken = 0;
    for (std::size_t i = 0; i < each.cpus.size() && taken < kMaxScalesAtOnce; ++i) {
        const std::size_t cpu = next_measured_cpu_++ % each.cpus.size();
        if (seen_on(each, cpu) - each.cpus[cpu].seen < kFiringsOfScale)
            continue;
        latency_scales_[cpu].add(call_time_on(static_cast<uint32_t>(cpu)));
        ++taken;
    }
}

/// Returns the mean speed factor of the CPUs whose speed was measured.
double OverheadController::mean_latency_scale() const
{
    double sum = 0, known = 0;
    for (const CpuLatencyScale& scale : latency_scales_)
        if (scale.is_known()) {
            sum += scale.factor(call_);
            ++known;
        }
    return known == 0 ? 1 : sum / known;
}

/// Returns the mean cold-cache factor of the CPUs where the group's probes fire.
double OverheadController::mean_cold_cache_factor(const ThrottledGroup& each)
{
    double sum = 0, firings = 0;
    for (const OnCpu& on : each.cpus) {
        sum += on.rate_factor.firings() * on.rate_factor.cold_cache_factor();
        firings += on.rate_factor.firings();
    }
    return firings > 0 ? sum / firings : GapRateFactor::kMaxCold;
}

uint64_t OverheadController::seen_on(const ThrottledGroup& each, std::size_t cpu) const
{
    uint64_t sum = 0;
    for (const Member& member : each.members)
        for (const uint32_t place : member.places)
            sum += member.continues ? 0 : sampling_[cpu * schema_.counted.size() + place].seen;
    return sum;
}

uint64_t OverheadController::seen_by(const ThrottledGroup& each) const
{
    uint64_t sum = 0;
    for (std::size_t cpu = 0; cpu < schema_.sampling_sets; ++cpu)
        sum += seen_on(each, cpu);
    return sum;
}

void OverheadController::report_group(ThrottledGroup& each, const SamplingRate& sampling_rate, double share)
{
    std::string what;
    if (sampling_rate == SamplingRate{})
        what = "all firings are traced again";
    else if (sampling_rate.share <= 0)
        what = "is switched off: its firings depend on one another, so they cannot be sampled";
    else {
        if (sampling_rate.every > 1)
            what = "one firing of " + std::to_string(sampling_rate.every) + " is traced and represents all";
        if (sampling_rate.share < 1)
            what += (what.empty() ? "is attached " : ", and it is attached ") + percent(sampling_rate.share) +
                    " of the time";
    }
    actions_.tell({"BUDGET",
                   {{"every", sampling_rate.every},
                    {"attached_permille", static_cast<uint64_t>(sampling_rate.share * kPermille)},
                    {"cost_permille", static_cast<uint64_t>(share / cpus_ * kPermille)}},
                   "maxcost: tracing would take " + share_text(share, cpus_) + " of the machine, and the limit is " +
                       share_text(limit_, cpus_) + ": " + each.name + ": " + what});
    each.reported = sampling_rate;
}

std::vector<output::Note> OverheadController::errors() const
{
    std::vector<output::Note> notes;
    for (const ThrottledGroup& each : groups_) {
        const double total = total_of(each), error = error_of(each);
        if (total <= 0 || error <= kReportedError * total)
            continue;
        const double part = std::min(error / total, 1.0);
        const std::size_t windows = each.of_target ? each.by_cpu_time.windows() : each.spread.windows();
        notes.push_back({"BUDGET_ERROR",
                         {{"error_permille", static_cast<uint64_t>(std::ceil(part * kPermille))}, {"windows", windows}},
                         "maxcost: totals of " + each.name + " may be off by " + percent(part) +
                             ", because they are estimates from " + std::to_string(windows) +
                             (windows == 1 ? " sampling window" : " sampling windows") +
                             ": trace for longer, or raise option maxcost"});
    }
    return notes;
}

void OverheadController::enter_losses(uint64_t now)
{
    const auto enter = [&](consume::DropReason cause, uint64_t all, uint64_t& entered) {
        if (all > entered)
            actions_.lose(cause, all - std::exchange(entered, all), {last_look_, now});
    };
    for (ThrottledGroup& each : groups_)
        for (Member& member : each.members) {
            const Counted counted = count(member);
            // Skipped ends of entry/return pairs are not losses, because sampling decides only about the start of a
            // pair. If the start was skipped, the predicate at the end is false.
            if (member.plan->may_sample && !member.continues && counted.seen > counted.taken)
                enter(consume::DropReason::SampledOut, counted.seen - counted.taken, member.entered_sampled_out);
            if (counted.weighted > counted.seen)
                enter(consume::DropReason::Detached, counted.weighted - counted.seen, member.entered_missed);
        }
}

void OverheadController::act(uint64_t now)
{
    if (now - last_look_ >= kLookNs)
        check(now);
    for (std::size_t i = 0; i < groups_.size(); ++i)
        advance_window(groups_[i], governor_.rates()[i], now);
}

uint64_t OverheadController::due() const
{
    uint64_t due = last_look_ + kLookNs;
    for (std::size_t i = 0; i < groups_.size(); ++i)
        due = std::min(due, window_due(groups_[i], governor_.rates()[i]));
    return groups_.empty() ? UINT64_MAX : due;
}

} // namespace dt
