// Reports each gap once per drop reason and CPU, with the number of lost records.
#include "libdtrace/losses/lost_intervals.hpp"

#include <algorithm>

namespace dt::consume {

void LostIntervals::add(uint32_t cpu, DropReason cause, uint64_t count, uint64_t since, uint64_t until)
{
    if (count == 0)
        return;
    waiting_[cpu].push_back({cause, count, since != 0 ? since : began_, until});
    reported_[{cause, cpu}] += count;
}

/// Returns how many of the losses in the drop counts were not added to a gap yet.
uint64_t LostIntervals::unreported(DropReason cause, uint32_t cpu) const
{
    const auto reported = reported_.find({cause, cpu});
    const uint64_t all = drops_.count_of(cause, cpu), before = reported == reported_.end() ? 0 : reported->second;
    return all - std::min(all, before);
}

/// Adds the records that are missing before `next`. Losses caused by a stopped reader of the output have already been
/// added when `next` arrives; all other missing records are attributed to the full buffer.
void LostIntervals::add_missing(const Sample& next)
{
    const uint64_t by_reader = std::min(next.missing, unreported(DropReason::Reader, next.cpu));
    add(next.cpu, DropReason::Reader, by_reader, next.former);
    add(next.cpu, DropReason::Buffer, next.missing - by_reader, next.former);
}

void LostIntervals::check(uint64_t now)
{
    for (const auto& [cpu, count] : drops_.by_cpu(DropReason::Speculation))
        add(cpu, DropReason::Speculation, unreported(DropReason::Speculation, cpu), last_look_, now);
    last_look_ = now;
}

void LostIntervals::show(uint32_t cpu, uint64_t until)
{
    const auto found = waiting_.find(cpu);
    if (found == waiting_.end())
        return;
    std::map<DropReason, output::LostInterval> gaps;
    for (const Waiting& each : found->second) {
        const auto [gap, fresh] =
            gaps.try_emplace(each.cause, output::LostInterval{name_of(each.cause), 0, cpu, each.since, until});
        gap->second.count += each.count;
        gap->second.from = std::min(gap->second.from, each.since);
        gap->second.to = std::max(gap->second.to, each.until);
    }
    waiting_.erase(found);
    for (const auto& [cause, gap] : gaps)
        sink_.gap(gap);
}

void LostIntervals::finish(uint64_t now)
{
    check(now);
    for (const DropReason cause : {DropReason::Buffer, DropReason::Reader})
        for (const auto& [cpu, count] : drops_.by_cpu(cause))
            add(cpu, cause, unreported(cause, cpu), cpu < shown_.size() ? shown_[cpu] : 0);
    while (!waiting_.empty())
        show(waiting_.begin()->first, now);
}

} // namespace dt::consume
