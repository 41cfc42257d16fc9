// In which order the samples of several CPUs are printed.
//
// By time (option temporal, the default): samples of one CPU are in order, so a merge of the buffers' heads is enough.
// A sample that is newer than the moment the pass began may have an older one behind it in a buffer that was looked at
// before, so it waits for the next pass. Without temporal, one CPU after the other: BEGIN's first, and in the last pass
// END's last (dtrace(8), temporal).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dcompiler/probes.hpp"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

/// Hands every sample not newer than `limit` to `handle(const Sample&)`, oldest first; equal times: lower CPU first.
/// Returns whether samples were held back. Cost per sample: log2 of the number of CPUs that have data.
template <typename Handle> bool merge_by_time(const RingList& rings, uint64_t limit, Handle handle)
{
    RingList heap; // the ring with the oldest sample first
    const auto later = [](Ring* a, Ring* b) {
        const Sample *x = a->front(), *y = b->front();
        return x->time != y->time ? x->time > y->time : a->cpu() > b->cpu();
    };
    for (Ring* ring : rings)
        if (ring->front())
            heap.push_back(ring);
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty() && heap.front()->front()->time <= limit) {
        std::pop_heap(heap.begin(), heap.end(), later);
        Ring* ring = heap.back();
        // Take samples from this ring for as long as it has the oldest: bursts of one CPU cost no sorting.
        do {
            handle(*ring->front());
            ring->pop();
        } while (ring->front() && ring->front()->time <= limit && (heap.size() == 1 || !later(ring, heap.front())));
        if (ring->front())
            std::push_heap(heap.begin(), heap.end(), later);
        else
            heap.pop_back();
    }
    return !heap.empty();
}

/// Which CPU's buffer comes first or last, when one is special. Stays between passes.
class CpuOrder {
public:
    /// Hands every sample that can be read to `handle`, CPU by CPU.
    template <typename Handle> void run(const RingList& rings, bool final_pass, Handle handle)
    {
        RingList order = rings;
        Ring* first = first_pass_ ? find_begin(rings) : nullptr;
        if (first && final_pass) {
            // Everything is over before anything was read: BEGIN's own samples first, the rest of its CPU where END's
            // place is.
            drain_while(*first, handle, [](const Sample& sample) { return sample.probe == kBeginProbe; });
            move_to_end(order, first);
        } else if (first) {
            move_to_end(order, first);
            std::rotate(order.begin(), order.end() - 1, order.end());
        }
        for (Ring* ring : order)
            drain_while(*ring, handle, [&](const Sample& sample) { return !final_pass || sample.probe != kEndProbe; });
        // What is left, in the final pass, begins with END's samples; one CPU has them.
        for (Ring* ring : order)
            drain_while(*ring, handle, [](const Sample&) { return true; });
        first_pass_ = false;
    }

private:
    static Ring* find_begin(const RingList& rings)
    {
        for (Ring* ring : rings)
            if (ring->front() && ring->front()->probe == kBeginProbe)
                return ring;
        return nullptr;
    }
    static void move_to_end(RingList& order, Ring* ring)
    {
        const auto at = std::find(order.begin(), order.end(), ring);
        std::rotate(at, at + 1, order.end());
    }
    template <typename Handle, typename While> static void drain_while(Ring& ring, Handle& handle, While condition)
    {
        while (const Sample* sample = ring.front()) {
            if (!condition(*sample))
                return;
            handle(*sample);
            ring.pop();
        }
    }

    bool first_pass_ = true;
};

} // namespace dt::consume
