// Stores the samples of each speculation, under its serial number, until the speculation ends.
#include "libdtrace/records/speculation.hpp"

#include <unordered_set>
#include <utility>

#include "base/time.hpp"

namespace dt::consume {

namespace {

// minimum age in ns of a speculation that is given up because its commit record is missing
constexpr uint64_t kPatience = kSecond;

} // namespace

SpeculationOutcomes::End SpeculationOutcomes::of(uint32_t serial) const
{
    return ends_.empty() || latest_serial_ - serial >= kKnown ? End::Unknown : ends_[serial % kKnown];
}

void SpeculationOutcomes::note(uint32_t serial, End end)
{
    if (ends_.empty()) {
        ends_.assign(kKnown, End::Unknown);
        latest_serial_ = serial;
    }
    if (const uint32_t ahead = serial - latest_serial_; ahead <= UINT32_MAX / 2) {
        for (uint32_t skipped = ahead < kKnown ? ahead : kKnown; skipped > 0; --skipped)
            ends_[(serial - skipped + 1) % kKnown] = End::Unknown;
        latest_serial_ = serial;
    }
    if (latest_serial_ - serial < kKnown)
        ends_[serial % kKnown] = end;
}

void Speculations::attach(const dt_spec* specs, std::size_t count)
{
    specs_ = specs;
    count_ = count;
}

Speculations::Verdict Speculations::take(const Sample& sample)
{
    if (const SpeculationOutcomes::End end = ended_.of(sample.spec); end != SpeculationOutcomes::End::Unknown)
        return end == SpeculationOutcomes::End::Committed ? Verdict::Print : Verdict::Thrown;
    Pending& pending = pending_[sample.spec];
    const uint64_t size = sizeof(dt_sample) + sample.size;
    if (pending.bytes + size > limit_)
        return Verdict::NoRoom;
    pending.bytes += size;
    pending.kept.push_back({sample, {sample.data, sample.data + sample.size}});
    return Verdict::Kept;
}

void Speculations::remember(uint32_t serial, bool commit)
{
    if (ended_.of(serial) == SpeculationOutcomes::End::Unknown)
        ended_.note(serial, commit ? SpeculationOutcomes::End::Committed : SpeculationOutcomes::End::Discarded);
}

std::vector<Speculations::Kept> Speculations::end(uint32_t serial, bool commit)
{
    if (serial == 0)
        return {};
    remember(serial, commit);
    const auto pending = pending_.extract(serial);
    return pending && commit ? std::move(pending.mapped().kept) : std::vector<Kept>{};
}

std::vector<std::vector<Speculations::Kept>> Speculations::abandon_lost(uint64_t now, bool last)
{
    if (!specs_ || pending_.empty() || (!last && now - last_look_ < kPatience))
        return {};
    last_look_ = now;
    std::unordered_set<uint32_t> open;
    for (std::size_t id = 1; id <= count_; ++id)
        if (const uint64_t serial = __atomic_load_n(&specs_[id].serial, __ATOMIC_ACQUIRE); serial != 0)
            open.insert(static_cast<uint32_t>(serial));
    std::vector<std::vector<Kept>> given_up;
    for (auto at = pending_.begin(); at != pending_.end();) {
        const bool ended = open.count(at->first) == 0;
        if (ended && (last || at->second.seen_ended)) {
            given_up.push_back(std::move(at->second.kept));
            remember(at->first, false);
            at = pending_.erase(at);
        } else {
            at->second.seen_ended = ended;
            ++at;
        }
    }
    return given_up;
}

} // namespace dt::consume
