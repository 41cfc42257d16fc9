#include "libdtrace/consume/speculation.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

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

bool Speculations::is_drained(std::size_t index) const
{
    return pending_[index].state != State::Pending && __atomic_load_n(&specs_[index].state, __ATOMIC_ACQUIRE) == DT_SPEC_DRAINING &&
           __atomic_load_n(&specs_[index].written, __ATOMIC_ACQUIRE) == pending_[index].read;
}

void Speculations::release_drained()
{
    std::vector<std::size_t> drained;
    for (std::size_t i = 0; specs_ && i < pending_.size(); ++i)
        if (is_drained(i))
            drained.push_back(i);
    if (drained.empty())
        return;
    // A clause on another CPU may have found the id active just before it was committed and not have counted its sample yet. The kernel
    // waits here until every program that runs now has ended. (Where it cannot, on isolated CPUs, the moment is not waited for.)
    ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
    for (const std::size_t i : drained) {
        if (!is_drained(i))
            continue;
        pending_[i] = Pending{};
        __atomic_store_n(&specs_[i].written, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&specs_[i].state, DT_SPEC_INACTIVE, __ATOMIC_RELEASE);
    }
}

} // namespace dt::consume
