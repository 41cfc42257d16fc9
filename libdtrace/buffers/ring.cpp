// Reads the records of a perf buffer in place; only a record that wraps around the buffer's end is copied. The space of
// records that were read is returned to the kernel during the pass, not only at its end.
#include "libdtrace/buffers/ring.hpp"

#include <linux/perf_event.h>

#include <cstring>
#include <utility>

#include "bpf-runtime/abi.h"

namespace dt::consume {

namespace {

// the space of records that were read is returned to the kernel in units of an eighth of the buffer
constexpr unsigned kReleaseParts = 8;

} // namespace

void Ring::refresh()
{
    const uint64_t before = std::exchange(head_, written());
    if (head_ == before)
        found_nothing_new();
    filling_up_ = head_ - tail_ > size_ / 4;
}

void Ring::pop()
{
    tail_ = next_;
    has_front_ = false;
    if (tail_ - released_ >= size_ / kReleaseParts)
        release();
}

void Ring::release()
{
    if (released_ == tail_)
        return;
    released_ = tail_;
    release_space(tail_);
}

// Implements PerfRing: the perf buffer of one CPU.

namespace {

// A PERF_RECORD_SAMPLE with PERF_SAMPLE_TIME | PERF_SAMPLE_RAW, without the sample's data. The struct is packed,
// because these data begin at an odd multiple of four bytes.
struct [[gnu::packed]] RecordHead {
    perf_event_header header;
    uint64_t time;
    uint32_t raw_size;
    dt_sample sample;
};
static_assert(sizeof(RecordHead) == 8 + 8 + 4 + 16);

/// A PERF_RECORD_LOST, which says how many samples the kernel dropped before it.
struct LostRecord {
    perf_event_header header;
    uint64_t event, count;
};
static_assert(sizeof(LostRecord) <= kLostRecordSize);

} // namespace

std::size_t record_size(std::size_t data_size)
{
    return (sizeof(RecordHead) + data_size + 7) / 8 * 8;
}

PerfRing::PerfRing(void* mapping, std::size_t mapping_size, std::size_t page_size, uint32_t cpu)
    : Ring(mapping_size - page_size, cpu, static_cast<perf_event_mmap_page*>(mapping)->data_tail), page_(mapping),
      data_(static_cast<const uint8_t*>(mapping) + page_size)
{
}

uint64_t PerfRing::written() const
{
    return __atomic_load_n(&static_cast<perf_event_mmap_page*>(page_)->data_head, __ATOMIC_ACQUIRE);
}

void PerfRing::release_space(uint64_t position)
{
    __atomic_store_n(&static_cast<perf_event_mmap_page*>(page_)->data_tail, position, __ATOMIC_RELEASE);
}

// Returns the `size` bytes of the ring from position `at`; copies them if they wrap around the end of the ring.
const uint8_t* PerfRing::contiguous(uint64_t at, std::size_t size)
{
    const std::size_t offset = at & (size_ - 1);
    if (offset + size <= size_)
        return data_ + offset;
    wrapped_.resize(std::max(wrapped_.size(), size));
    const std::size_t first = size_ - offset;
    std::memcpy(wrapped_.data(), data_ + offset, first);
    std::memcpy(wrapped_.data() + first, data_, size - first);
    return wrapped_.data();
}

bool PerfRing::find_front()
{
    while (tail_ < head_) {
        perf_event_header header; // headers are 8-byte aligned, so they never wrap at the end
        std::memcpy(&header, data_ + (tail_ & (size_ - 1)), sizeof header);
        const bool whole = header.size >= sizeof header && header.size % alignof(uint64_t) == 0 &&
                           header.size <= std::min(head_ - tail_, size_);
        if (!whole) {
            tail_ = head_; // a malformed record: the following bytes cannot be decoded
            return false;
        }
        next_ = tail_ + header.size;
        if (header.type == PERF_RECORD_LOST && header.size >= sizeof(LostRecord)) {
            LostRecord lost;
            std::memcpy(&lost, contiguous(tail_, sizeof lost), sizeof lost);
            missing_ += lost.count;
        }
        if (header.type == PERF_RECORD_SAMPLE && header.size >= sizeof(RecordHead)) {
            const uint8_t* record = contiguous(tail_, header.size);
            RecordHead head;
            std::memcpy(&head, record, sizeof head);
            const bool continues = (head.sample.size & DT_SAMPLE_CONTINUES) != 0;
            head.sample.size &= ~DT_SAMPLE_CONTINUES;
            const std::size_t room = header.size - (sizeof head - sizeof head.sample);
            if (head.sample.size >= sizeof head.sample &&
                head.sample.size <= std::min<std::size_t>(head.raw_size, room)) {
                front_ = {head.time,
                          cpu_,
                          head.sample.spec,
                          head.sample.probe,
                          head.sample.stmt,
                          static_cast<uint32_t>(head.sample.size - sizeof head.sample),
                          record + sizeof head,
                          continues,
                          std::exchange(missing_, 0),
                          std::exchange(former_, uint64_t{head.time})};
                return true;
            }
        }
        tail_ = next_;
    }
    return false;
}

} // namespace dt::consume
