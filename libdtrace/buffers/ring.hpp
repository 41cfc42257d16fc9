// A buffer for the samples of one CPU, in the order of writing. Samples are read in place, from memory shared with the
// kernel, and their space is returned to the kernel continuously. This file defines the interface of a buffer, the perf
// buffer of one CPU, and the order in which samples of several CPUs are printed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dcompiler/interface/probes.hpp"

namespace dt::consume {

/// A dt_sample with the time and CPU at which it was written.
struct Sample {
    uint64_t time = 0; ///< time of the sample (CLOCK_MONOTONIC ns)
    uint32_t cpu = 0;
    uint32_t spec = 0, probe = 0, stmt = 0;
    uint32_t size = 0; ///< size of `data` in bytes
    const uint8_t* data = nullptr;
    bool continues = false; ///< whether the same firing has already written an earlier sample; only set with -x hits
    uint64_t missing = 0;   ///< number of samples that were lost before this one because the buffer was full
    /// Time of the last sample before the lost ones, if `missing` is not 0. The time is 0 if no sample precedes the
    /// lost ones.
    uint64_t former = 0;
};

class Ring {
public:
    virtual ~Ring() = default;

    /// Reads the position up to which the kernel has written; front() can then return the samples before this position.
    void refresh();

    /// Returns the oldest unread sample, or null. Valid until pop(). Malformed records, and records that are not
    /// samples, are skipped.
    const Sample* front()
    {
        if (!has_front_)
            has_front_ = find_front();
        return has_front_ ? &front_ : nullptr;
    }
    void pop();

    /// Allows the kernel to reuse the buffer space of all samples that pop() has removed.
    void release();

    uint32_t cpu() const { return cpu_; }
    /// Returns whether the buffer was more than a quarter full at the last refresh(), so that the next pass must come
    /// before the buffer is full.
    bool was_filling_up() const { return filling_up_; }

protected:
    /// `size` is the size of the data area in bytes, a power of two. Reading begins at position `at`.
    Ring(uint64_t size, uint32_t cpu, uint64_t at) : size_(size), cpu_(cpu), head_(at), tail_(at), released_(at) {}

    virtual uint64_t written() const = 0;              ///< position up to which the kernel has written the buffer
    virtual void release_space(uint64_t position) = 0; ///< lets the kernel write to the space before `position`
    /// Sets `front_` to the first sample at or after `tail_`, and `next_` to the start of the record after it. Returns
    /// false if there is no sample.
    virtual bool find_front() = 0;
    virtual void found_nothing_new() {} ///< called by refresh() if there is no new data

    const uint64_t size_;
    const uint32_t cpu_;
    uint64_t head_, tail_;
    uint64_t next_ = 0;
    Sample front_;

private:
    uint64_t released_;
    bool has_front_ = false;
    bool filling_up_ = false;
};

using RingList = std::vector<Ring*>; ///< Rings in any order. The list does not own the rings.

// The perf buffer of one CPU.

class PerfRing final : public Ring {
public:
    /// `mapping` is the perf_event_mmap_page followed by the data area.
    PerfRing(void* mapping, std::size_t mapping_size, std::size_t page_size, uint32_t cpu);

private:
    uint64_t written() const override;
    void release_space(uint64_t position) override;
    bool find_front() override;
    const uint8_t* contiguous(uint64_t at, std::size_t size);

    void* page_;
    const uint8_t* data_;
    // `missing_`: number of samples lost before the next sample. `former_`: time of the last sample before the loss.
    uint64_t missing_ = 0, former_ = 0;
    std::vector<uint8_t> wrapped_; // copy of a record that wraps at the end
};

/// Returns the size of a sample's record in a buffer, in bytes, for a sample with `data_size` bytes of data.
/// kLostRecordSize is the size of the record about lost samples, which the kernel may put before a sample.
std::size_t record_size(std::size_t data_size);
constexpr std::size_t kLostRecordSize = 24;

// The order in which samples of several CPUs are printed.
//
// With option temporal, the default, samples are printed in time order. Within a buffer, samples are already in time
// order, so it suffices to merge the buffers. Samples that are later than the start of the pass wait for the next pass,
// because a buffer that was already read may still get an earlier sample. Without temporal, samples are printed CPU by
// CPU: the CPU of BEGIN is the first, and in the last pass the CPU of END is the last (dtrace(8), temporal).

/// Passes every sample up to time `limit` to `handle(const Sample&)`, earliest first; if several samples have the same
/// time, the one of the lowest CPU number first. Returns whether samples remain in the buffers. Cost per sample: log2
/// of the number of CPUs with data.
template <typename Handle> bool merge_by_time(const RingList& rings, uint64_t limit, Handle handle)
{
    RingList heap; // heap of the rings; its front is the ring with the earliest sample
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
        // Handles samples of this ring as long as its next sample is the earliest of all rings, so that a burst on one
        // CPU needs no reordering of the heap.
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

/// Prints samples CPU by CPU: the CPU of BEGIN is the first, the CPU of END is the last. Keeps its state between
/// passes.
class CpuOrder {
public:
    /// Passes every readable sample to `handle`, CPU by CPU.
    template <typename Handle> void run(const RingList& rings, bool final_pass, Handle handle)
    {
        RingList order = rings;
        Ring* first = first_pass_ ? find_begin(rings) : nullptr;
        if (first && final_pass) {
            // If this pass is both the first and the last, the samples of the probe BEGIN are handled first. The other
            // samples of the CPU on which BEGIN ran are handled last, directly before the samples of END.
            drain_while(*first, handle, [](const Sample& sample) { return sample.probe == kBeginProbe; });
            move_to_end(order, first);
        } else if (first) {
            move_to_end(order, first);
            std::rotate(order.begin(), order.end() - 1, order.end());
        }
        for (Ring* ring : order)
            drain_while(*ring, handle, [&](const Sample& sample) { return !final_pass || sample.probe != kEndProbe; });
        // In the final pass, only samples of END and later ones are still unprinted, all on one CPU.
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
