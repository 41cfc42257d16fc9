// Layout of a record: include/uapi/linux/bpf.h (BPF_RINGBUF_*), kernel/bpf/ringbuf.c; of a sample: bpf-runtime/abi.h.
#include "libdtrace/consume/lane_ring.hpp"

#include <algorithm>
#include <cstring>
#include <linux/bpf.h>

#include "bpf-runtime/abi.h"

namespace dt::consume {

LaneRing::LaneRing(void* consumer, const void* producer, std::size_t size, std::size_t page_size, uint32_t cpu)
    : Ring(size, cpu, *static_cast<const uint64_t*>(consumer)), consumer_(consumer), producer_(producer),
      data_(static_cast<const uint8_t*>(producer) + page_size)
{
}

uint64_t LaneRing::written() const
{
    return __atomic_load_n(static_cast<const uint64_t*>(producer_), __ATOMIC_ACQUIRE);
}

void LaneRing::give_back(uint64_t position)
{
    __atomic_store_n(static_cast<uint64_t*>(consumer_), position, __ATOMIC_RELEASE);
}

bool LaneRing::find_front()
{
    while (tail_ < head_) {
        const uint8_t* const record = data_ + (tail_ & (size_ - 1));
        const uint32_t word = __atomic_load_n(reinterpret_cast<const uint32_t*>(record), __ATOMIC_ACQUIRE);
        if (word & BPF_RINGBUF_BUSY_BIT)
            return false; // it is being written
        const uint64_t length = word & ~BPF_RINGBUF_DISCARD_BIT;
        next_ = tail_ + (BPF_RINGBUF_HDR_SZ + length + 7) / 8 * 8;
        if (next_ > head_ || next_ - tail_ > size_) {
            tail_ = head_; // nothing after this can be understood
            return false;
        }
        dt_sample sample{};
        uint64_t time = 0;
        const uint8_t* const data = record + BPF_RINGBUF_HDR_SZ;
        std::memcpy(&sample, data, std::min<uint64_t>(sizeof sample, length));
        const bool continues = (sample.size & DT_SAMPLE_CONTINUES) != 0;
        sample.size &= ~DT_SAMPLE_CONTINUES;
        if (length >= sizeof sample + sizeof time && !(word & BPF_RINGBUF_DISCARD_BIT) &&
            sample.size >= sizeof sample && sample.size <= length - sizeof time) {
            std::memcpy(&time, data + sample.size, sizeof time);
            front_ = {time,
                      cpu_,
                      sample.spec,
                      sample.probe,
                      sample.stmt,
                      static_cast<uint32_t>(sample.size - sizeof sample),
                      data + sizeof sample,
                      continues};
            return true;
        }
        tail_ = next_;
    }
    return false;
}

} // namespace dt::consume
