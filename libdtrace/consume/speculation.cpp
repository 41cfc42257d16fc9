#include "libdtrace/consume/speculation.hpp"

namespace dt::consume {

void Speculations::attach(dt_spec* specs, std::size_t count)
{
    specs_ = specs;
    pending_.resize(count);
}

Speculations::Verdict Speculations::take(const Sample& sample)
{
    Pending* pending = find(sample.spec);
    if (!pending)
        return Verdict::Thrown;
    ++pending->read;
    if (pending->state == State::Committed)
        return Verdict::Print;
    if (pending->state == State::Discarded)
        return Verdict::Thrown;
    const uint64_t size = sizeof(dt_sample) + sample.size;
    if (pending->bytes + size > limit_)
        return Verdict::NoRoom;
    pending->bytes += size;
    pending->kept.push_back({sample, {sample.data, sample.data + sample.size}});
    return Verdict::Kept;
}

void Speculations::decide(int64_t id, bool commit)
{
    if (Pending* pending = find(id))
        pending->state = commit ? State::Committed : State::Discarded;
}

void Speculations::clear(int64_t id)
{
    if (Pending* pending = find(id)) {
        pending->kept.clear();
        pending->bytes = 0;
    }
}

void Speculations::release_drained()
{
    if (!specs_)
        return;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        Pending& pending = pending_[i];
        if (pending.state == State::Pending || __atomic_load_n(&specs_[i].state, __ATOMIC_ACQUIRE) != DT_SPEC_DRAINING ||
            __atomic_load_n(&specs_[i].written, __ATOMIC_ACQUIRE) != pending.read)
            continue;
        pending = Pending{};
        __atomic_store_n(&specs_[i].written, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&specs_[i].state, DT_SPEC_INACTIVE, __ATOMIC_RELEASE);
    }
}

} // namespace dt::consume
