// Reads the loss counters of BPF programs and the kernel, and reports their increase since the last read. Evictions of
// dynamic variables are computed from the numbers of created and deleted elements.
#include "libdtrace/losses/drop_messages.hpp"

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>

#include "base/time.hpp"
#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/processes/thread_context.h"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

namespace {

struct Kind {
    dt_u64 dt_losses::*counter;
    DropReason cause;
    std::string_view tag;
    unsigned occasion;
    bool by_cpu;
    /// Parts of a drop message, which begins with the count. `one` or `several` follows, depending on the count, then "
    /// on CPU N" if the message concerns a CPU, and then `after`.
    std::string_view one, several;
    std::string_view after;
};

constexpr Kind kKinds[] = {
    {&dt_losses::principal, DropReason::Buffer, "DTRACEDROP_PRINCIPAL", kEachPass, true, " drop", " drops", ""},
    {&dt_losses::nesting, DropReason::Nesting, "DTRACEDROP_NESTING", kEachPass, true, " drop", " drops",
     " (no free scratch memory: probes nested too deeply)"},
    {&dt_losses::aggregation, DropReason::Aggregation, "DTRACEDROP_AGGREGATION", kEachPass, true, " aggregation drop",
     " aggregation drops", ""},
    {&dt_losses::no_memory, DropReason::AggregationMemory, "DTRACEDROP_AGGMEMORY", kEachPass, true, " aggregation drop",
     " aggregation drops", " (the kernel had no memory available for a new key)"},
    {&dt_losses::dynamic, DropReason::Dynamic, "DTRACEDROP_DYNAMIC", kEachStatus, false, " dynamic variable drop",
     " dynamic variable drops", ""},
    {&dt_losses::speculation, DropReason::Speculation, "DTRACEDROP_SPEC", kEachPass | kEachStatus, false,
     " speculative drop", " speculative drops", ""},
    {&dt_losses::spec_unavailable, DropReason::SpeculationId, "DTRACEDROP_SPECUNAVAIL", kEachStatus, false,
     " failed speculation (no speculative buffer available)", " failed speculations (no speculative buffer available)",
     ""},
    {&dt_losses::double_error, DropReason::ErrorClause, "DTRACEDROP_DBLERROR", kEachStatus, false,
     " error in ERROR probe enabling", " errors in ERROR probe enabling", ""},
};

/// Initial and maximum interval between two reads of the kernel's counters. The interval doubles while no firing is
/// missed, because a read costs a system call for each program.
constexpr uint64_t kFirstKernelPeriod = kSecond, kMaxKernelPeriod = 30 * kSecond;

} // namespace

void Losses::attach(const dt_losses* counters, uint32_t cpus)
{
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
        counters_.push_back(counters + cpu);
        places_.push_back("CPU " + std::to_string(cpu));
    }
    reported_.assign(cpus, dt_losses{});
    principal_.assign(cpus, 0);
    began_ = now_monotonic();
    period_.begin(began_);
}

void Losses::attach(const dt_losses* counters, const std::string& place)
{
    counters_.push_back(counters);
    places_.push_back(place);
    reported_.emplace_back();
    principal_.push_back(0);
}

/// Returns the time range from the last read of the counters of this drop reason until `now`.
LossTime Losses::until(DropReason cause, uint64_t now)
{
    const auto [looked, fresh] = looked_.try_emplace(cause, began_);
    return {std::exchange(looked->second, now), now};
}

void Losses::count_truncated_keys(const TruncatedKeys& all)
{
    const uint64_t now = now_monotonic();
    drops_.add(DropReason::StringCut, all.strings - truncated_keys_.strings, -1, until(DropReason::StringCut, now));
    drops_.add(DropReason::StackCut, all.stacks - truncated_keys_.stacks, -1, until(DropReason::StackCut, now));
    truncated_keys_ = all;
}

void Losses::print_message(const Drop& drop, uint64_t count, std::string_view when)
{
    std::string text = std::to_string(count).append(count == 1 ? drop.one : drop.several), line;
    text.append(drop.rest).append(when);
    if (options_.print().droptags)
        line.append("[").append(drop.kind).append("] ");
    output::print_message(output_, line.append(text));
    sink_.drop({drop.kind, count, drop.cpu, text});
}

void Losses::tell(Drop drop, uint64_t count)
{
    if (lines_ == UINT64_MAX)
        return print_message(drop, count, {});
    Repeated& known = repeated_[{drop.kind, drop.rest}];
    if (known.limiter.admits(lines_, count))
        print_message(drop, count, {});
    known.drop = std::move(drop);
}

/// Reports how many repeated messages were not printed. If `last` is set, reports all that were not reported yet, so
/// that the counts in all messages add up to the total.
void Losses::report_repeated(bool last)
{
    const uint64_t now = repeated_.empty() ? 0 : now_monotonic();
    if (repeated_.empty() || (!last && !period_.is_over(now)))
        return;
    const std::string when = period_.end(now);
    for (auto& [drop, each] : repeated_)
        if (const uint64_t count = each.limiter.end_period(); count != 0)
            print_message(each.drop, count, last ? std::string_view() : when);
}

// Prints messages that suggest options to avoid the losses. Each message is printed once per run.
void Losses::name_limits()
{
    const auto lost = [this](dt_u64 dt_losses::*counter) {
        return std::any_of(reported_.begin(), reported_.end(),
                           [&](const dt_losses& reported) { return reported.*counter != 0; });
    };
    if (!lost(&dt_losses::aggregation))
        return;
    const bool by_memory = options_.compile().memlimit && !options_.compile().aggsize_set;
    const bool by_all_memory = by_memory && options_.run().maxmem;
    const uint64_t limit = by_all_memory ? *options_.run().maxmem
                           : by_memory   ? *options_.compile().memlimit
                                         : options_.compile().aggsize;
    const output::Note note{"AGGREGATION_ROOM",
                            {{"bytes", limit}},
                            std::string("aggregations could not keep all keys: raise option ") +
                                (by_all_memory ? "maxmem"
                                 : by_memory   ? "memlimit"
                                               : "aggsize") +
                                " (now " + std::to_string(limit) + " bytes)"};
    output::print_message(output_, note, options_.print().errors_json);
    sink_.note(note);
}

uint64_t Losses::count_evicted(uint64_t there)
{
    uint64_t made = 0, gone = there;
    for (std::size_t cpu = 0; cpu < reported_.size(); ++cpu) {
        made += __atomic_load_n(&counters_[cpu]->created, __ATOMIC_RELAXED);
        gone += __atomic_load_n(&counters_[cpu]->deleted, __ATOMIC_RELAXED);
    }
    const uint64_t replaced = made > gone ? made - gone : 0;
    drops_.add(DropReason::Replaced, replaced, -1, {began_, now_monotonic()});
    return replaced;
}

void Losses::report_kernel(uint64_t now)
{
    const LossTime when = until(DropReason::Recursion, now);
    kernel_period_ = std::clamp(2 * kernel_period_, kFirstKernelPeriod, kMaxKernelPeriod);
    kernel_->report([&](const std::string& probes, const MissedFirings& missed) {
        kernel_period_ = 0;
        drops_.add(DropReason::Recursion, missed.by_program, -1, when);
        drops_.add(DropReason::Missed, missed.by_link, -1, when);
        tell({"DTRACEDROP_RECURSION", -1, " drop", " drops",
              " in " + probes + " (the kernel skips a probe that fires while the program of a probe is running)"},
             missed.all());
    });
    kernel_due_ = now + kernel_period_;
    // Only kernels since version 6.7 count firings that were missed because of recursion in kprobes. These kernels also
    // count the missed firings of a link (trace_call_bpf(), kprobe_multi_link_prog_run()).
    if (!kernel_->counts_programs() || !kernel_->counts_links())
        drops_.cannot_count(DropReason::Recursion);
    if (!kernel_->counts_links())
        drops_.cannot_count(DropReason::Missed);
}

bool Losses::is_quiet() const
{
    if (!repeated_.empty() || reader_stopped_ || speculative_ != speculative_reported_)
        return false;
    for (std::size_t cpu = 0; cpu < reported_.size(); ++cpu) {
        if (principal_[cpu] != 0)
            return false;
        for (const Kind& kind : kKinds)
            if (__atomic_load_n(&(counters_[cpu]->*kind.counter), __ATOMIC_RELAXED) != reported_[cpu].*kind.counter)
                return false;
    }
    return true;
}

void Losses::report(unsigned occasion)
{
    const uint64_t now = now_monotonic();
    for (const Kind& kind : kKinds) {
        if ((kind.occasion & occasion) == 0)
            continue;
        const LossTime when = until(kind.cause, now);
        const bool by_reader = kind.cause == DropReason::Buffer && std::exchange(reader_stopped_, false);
        uint64_t all = 0;
        for (std::size_t cpu = 0; cpu < reported_.size(); ++cpu) {
            uint64_t& reported = reported_[cpu].*kind.counter;
            const uint64_t lost = __atomic_load_n(&(counters_[cpu]->*kind.counter), __ATOMIC_RELAXED);
            uint64_t grown = lost - reported;
            reported = lost;
            if (grown != 0)
                grew_ = now;
            const bool is_cpu = places_[cpu].starts_with("CPU");
            drops_.add(by_reader ? DropReason::Reader : kind.cause, grown, is_cpu ? static_cast<int64_t>(cpu) : -1,
                       when);
            if (kind.counter == &dt_losses::principal)
                grown += std::exchange(principal_[cpu], 0);
            all += grown;
            if (kind.by_cpu && grown != 0)
                tell({kind.tag, static_cast<int64_t>(cpu), kind.one, kind.several,
                      (is_cpu ? " on " : " in ") + places_[cpu] + std::string(kind.after)},
                     grown);
        }
        if (kind.counter == &dt_losses::speculation) {
            all += speculative_ - speculative_reported_;
            speculative_reported_ = speculative_;
        }
        if (!kind.by_cpu && all != 0)
            tell({kind.tag, -1, kind.one, kind.several, {}}, all);
    }
    if (kernel_ && ((occasion & kAsked) != 0 || ((occasion & kEachStatus) != 0 && now >= kernel_due_)))
        report_kernel(now);
    report_repeated((occasion & kLast) != 0);
    if ((occasion & kLast) != 0)
        name_limits();
}

// Computes the number of evicted elements. The kernel does not count evictions, but programs count the elements that
// they create and delete. So the number of evictions is: created elements, minus deleted ones, minus existing ones.

namespace {

template <typename IsCounted> Result<uint64_t> elements_of(const LoadedMaps& maps, const IsCounted& is_counted)
{
    uint64_t count = 0;
    MapReader reader;
    for (const LoadedMap& map : maps) {
        if (!is_counted(map))
            continue;
        const MapShape shape{map.descriptor, map.key_size, (map.value_size + 7u) / 8 * 8, map.max_entries};
        const Result<void> read = reader.read(shape, [&](const uint8_t*, const uint8_t*) { ++count; });
        if (!read)
            return Error{std::string("cannot read dynamic variables: ") + std::strerror(read.error().code),
                         read.error().code};
    }
    return count;
}

} // namespace

Result<uint64_t> element_count(const LoadedMaps& maps)
{
    // Does not count the elements of the maps with mapping histories (DT_MAP_HISTORY) and with known processes, because
    // the programs do not count how many they insert there.
    return elements_of(maps, [](const LoadedMap& map) {
        return map.type == BPF_MAP_TYPE_LRU_HASH && map.name != DT_MAP_HISTORY && map.name != DT_MAP_CONTEXT_PROCESSES;
    });
}

Result<uint64_t> open_request_count(const LoadedMaps& maps)
{
    return elements_of(maps, [](const LoadedMap& map) { return map.name == DT_MAP_REQUESTS; });
}

} // namespace dt::consume
