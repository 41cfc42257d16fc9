// The order in which samples of several CPUs are printed.
//
// With option temporal, the default, samples are printed in time order. Each CPU's samples are in order, so merging the
// heads of the buffers suffices. Samples later than the start of the pass wait for the next pass, because a buffer that
// was read before them may get an earlier sample. Without temporal the CPUs are printed one after the other: BEGIN's
// CPU first, and in the last pass END's last (dtrace(8), temporal).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dcompiler/probes.hpp"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

/// Passes every sample up to time `limit` to `handle(const Sample&)`, earliest first; for equal times the lower CPU
/// first. Returns whether samples remain. Cost per sample: log2 of the number of CPUs with data.
template <typename Handle> bool merge_by_time(const RingList& rings, uint64_t limit, Handle handle)
{
    RingList heap; // heap; the ring with the earliest sample is first
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
        // Takes samples from this ring while it has the earliest one, so bursts of one CPU need no sorting.
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

/// Order of the CPUs, which places BEGIN's first and END's last. Keeps its state between passes.
class CpuOrder {
public:
    /// Passes every readable sample to `handle`, CPU by CPU.
    template <typename Handle> void run(const RingList& rings, bool final_pass, Handle handle)
    {
        RingList order = rings;
        Ring* first = first_pass_ ? find_begin(rings) : nullptr;
        if (first && final_pass) {
            // The first pass is also the last. So BEGIN's own samples come first, and the rest of its CPU comes last,
            // where END's samples are.
            drain_while(*first, handle, [](const Sample& sample) { return sample.probe == kBeginProbe; });
            move_to_end(order, first);
        } else if (first) {
            move_to_end(order, first);
            std::rotate(order.begin(), order.end() - 1, order.end());
        }
        for (Ring* ring : order)
            drain_while(*ring, handle, [&](const Sample& sample) { return !final_pass || sample.probe != kEndProbe; });
        // In the final pass the remaining samples begin with END's, which are on one CPU.
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
