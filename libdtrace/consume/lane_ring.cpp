// Layout of a record: include/uapi/linux/bpf.h (BPF_RINGBUF_*), kernel/bpf/ringbuf.c; of a sample: bpf-runtime/abi.h.
#include "libdtrace/consume/lane_ring.hpp"

#include <algorithm>
#include <cstring>
#include <linux/bpf.h>
#include <sys/mman.h>

#include "bpf-runtime/abi.h"

namespace dt::consume {

namespace {

/// A piece of the data area: mapping one costs some microseconds, reading the least hundreds. The more waits, the
/// larger they become.
constexpr std::size_t kLeastPiece = 64 * 1024, kMostPiece = 1024 * 1024;

} // namespace

LaneRing::LaneRing(int map, void* consumer, const void* producer, std::size_t size, std::size_t page_size, uint32_t cpu)
    : Ring(size, cpu, *static_cast<const uint64_t*>(consumer)), map_(map), consumer_(consumer), producer_(producer),
      page_size_(page_size), piece_(kLeastPiece)
{
}

LaneRing::~LaneRing()
{
    unmap();
}

void LaneRing::unmap()
{
    if (window_)
        munmap(window_, window_size_);
    window_ = nullptr;
    window_size_ = 0;
}

/// Where the bytes from a position on are; null: they cannot be mapped now, and wait. Pieces that were given out before
/// are gone.
const uint8_t* LaneRing::at(uint64_t position, std::size_t bytes)
{
    if (!window_ || position < window_position_ || position + bytes > window_position_ + window_size_) {
        unmap();
        const uint64_t begin = position / page_size_ * page_size_;
        const std::size_t needed = position + bytes - begin;
        const uint64_t waiting = (head_ - begin + page_size_ - 1) / page_size_ * page_size_;
        const std::size_t size = std::max((needed + page_size_ - 1) / page_size_ * page_size_,
                                          static_cast<std::size_t>(std::min<uint64_t>(waiting, piece_)));
        piece_ = waiting > piece_ ? std::min(2 * piece_, kMostPiece) : std::max(piece_ / 2, kLeastPiece);
        void* const window = mmap(nullptr, size, PROT_READ, MAP_SHARED, map_,
                                  static_cast<off_t>(2 * page_size_ + (begin & (size_ - 1))));
        if (window == MAP_FAILED)
            return nullptr;
        window_ = static_cast<uint8_t*>(window);
        window_position_ = begin;
        window_size_ = size;
    }
    return window_ + (position - window_position_);
}

uint64_t LaneRing::written() const
{
    return __atomic_load_n(static_cast<const uint64_t*>(producer_), __ATOMIC_ACQUIRE);
}

void LaneRing::give_back(uint64_t position)
{
    __atomic_store_n(static_cast<uint64_t*>(consumer_), position, __ATOMIC_RELEASE);
    if (position == head_)
        unmap();
}

bool LaneRing::find_front()
{
    while (tail_ < head_) {
        const uint8_t* record = at(tail_, BPF_RINGBUF_HDR_SZ);
        if (!record)
            return false;
        const uint32_t word = __atomic_load_n(reinterpret_cast<const uint32_t*>(record), __ATOMIC_ACQUIRE);
        if (word & BPF_RINGBUF_BUSY_BIT)
            return false; // it is being written
        const uint64_t length = word & ~BPF_RINGBUF_DISCARD_BIT;
        next_ = tail_ + (BPF_RINGBUF_HDR_SZ + length + 7) / 8 * 8;
        if (next_ > head_ || next_ - tail_ > size_) {
            tail_ = head_; // nothing after this can be understood
            return false;
        }
        if (!(record = at(tail_, next_ - tail_)))
            return false;
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
