// Samples kept by the serial number of their speculation until it ends.
#include "libdtrace/consume/speculation.hpp"

#include <unordered_set>
#include <utility>

#include "base/time.hpp"

namespace dt::consume {

namespace {

constexpr std::size_t kMostRemembered = 1 << 15; // ended speculations whose late samples are known, twice
constexpr uint64_t kRemembered = 2 * kSecond;    // ns that they are known at least, if there are not more of them
constexpr uint64_t kPatience = kSecond;          // ns that a commit record may be on its way

} // namespace

void Speculations::attach(const dt_spec* specs, std::size_t count)
{
    specs_ = specs;
    count_ = count;
}

Speculations::Verdict Speculations::take(const Sample& sample)
{
    if (const bool* const committed = ended(sample.spec))
        return *committed ? Verdict::Print : Verdict::Thrown;
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
    if (ended(serial))
        return;
    if (ended_.size() >= kMostRemembered)
        ended_before_ = std::exchange(ended_, {});
    ended_.emplace(serial, commit);
}

/// Whether it was committed; null: it has not ended, or long ago.
const bool* Speculations::ended(uint32_t serial) const
{
    for (const auto* const known : {&ended_, &ended_before_})
        if (const auto found = known->find(serial); found != known->end())
            return &found->second;
    return nullptr;
}

/// What is late comes within a pass or two. A trace of months ends millions of them.
void Speculations::forget_ended(uint64_t now)
{
    if (now - ended_since_ < kRemembered)
        return;
    ended_since_ = now;
    ended_before_ = std::exchange(ended_, {});
}

std::vector<Speculations::Kept> Speculations::end(uint32_t serial, bool commit)
{
    if (serial == 0)
        return {};
    remember(serial, commit);
    const auto pending = pending_.extract(serial);
    return pending && commit ? std::move(pending.mapped().kept) : std::vector<Kept>{};
}

std::vector<std::vector<Speculations::Kept>> Speculations::give_up_lost(uint64_t now, bool last)
{
    forget_ended(now);
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
