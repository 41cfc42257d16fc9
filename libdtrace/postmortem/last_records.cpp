#include "libdtrace/postmortem/last_records.hpp"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/time.hpp"
#include "bpf-runtime/abi.h"

namespace dt::postmortem {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t);
constexpr uint64_t kLongestOther = 64;  // maximum bytes of a record that is not a sample
constexpr uint64_t kDisorder = kSecond; // tolerated disorder: an interrupt may write its own record after another
                                        // record's time was taken
constexpr uint64_t kNoRecord = UINT64_MAX, kAnyTime = UINT64_MAX - 1;
constexpr uint64_t kSampleHead = 20; // size of header, time and data length (consume/perf_ring.cpp)

class RingWords {
public:
    RingWords(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements)
        : data_(data), at_(at), statements_(statements),
          low_(at.reserved > data.size() ? at.reserved - data.size() : 0),
          times_((at.head - low_) / kWord + 1, kNoRecord)
    {
        times_.back() = kAnyTime;
        for (uint64_t place = at_.head; place >= low_ + kWord;) {
            place -= kWord;
            times_[(place - low_) / kWord] = time_of(place);
        }
    }

    LastRecords found() const
    {
        LastRecords found;
        found.is_torn = at_.reserved != at_.head;
        found.first = low_ + static_cast<uint64_t>(std::find_if(times_.begin(), times_.end(),
                                                                [](uint64_t time) { return time != kNoRecord; }) -
                                                   times_.begin()) *
                                 kWord;
        for (uint64_t place = found.first; place < at_.head;) {
            const perf_event_header header = header_at(place);
            if (header.type == PERF_RECORD_SAMPLE)
                ++(place < at_.tail ? found.former : found.waiting);
            place += header.size;
        }
        return found;
    }

private:
    template <typename T> T load(uint64_t place) const
    {
        static_assert(sizeof(T) <= kWord);
        T value;
        std::memcpy(&value, data_.data() + (place & (data_.size() - 1)), sizeof value);
        return value;
    }
    perf_event_header header_at(uint64_t place) const { return load<perf_event_header>(place); }

    /// Returns the time of the record at that position, or that of the next record with a time. Returns kNoRecord if no
    /// record begins there.
    uint64_t time_of(uint64_t place) const
    {
        const perf_event_header header = header_at(place);
        if (header.size < 2 * kWord || header.size % kWord != 0 || header.size > at_.head - place)
            return kNoRecord;
        const uint64_t next = times_[(place + header.size - low_) / kWord];
        if (next == kNoRecord)
            return kNoRecord;
        if (header.type != PERF_RECORD_SAMPLE) {
            const bool is_told = header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_LOST_SAMPLES ||
                                 header.type == PERF_RECORD_THROTTLE || header.type == PERF_RECORD_UNTHROTTLE;
            return is_told && header.size <= kLongestOther ? next : kNoRecord;
        }
        const auto time = load<uint64_t>(place + kWord);
        return is_sample(place, header.size) && (next == kAnyTime || time < next + kDisorder) ? time : kNoRecord;
    }

    bool is_sample(uint64_t place, uint64_t size) const
    {
        if (size < kSampleHead + sizeof(dt_sample))
            return false;
        const auto raw = load<uint32_t>(place + 2 * kWord);
        const uint32_t bytes = load<uint32_t>(place + kSampleHead) & ~DT_SAMPLE_CONTINUES;
        const auto statement = load<uint32_t>(place + kSampleHead + offsetof(dt_sample, stmt));
        return raw == size - kSampleHead && bytes >= sizeof(dt_sample) && bytes <= raw && raw - bytes < kWord &&
               (statement < statements_ || statement == DT_STMT_FAULT);
    }

    const std::span<const uint8_t> data_;
    const RingPositions at_;
    const uint32_t statements_;
    const uint64_t low_;          ///< data before it has been overwritten
    std::vector<uint64_t> times_; ///< results of time_of(), by word
};

} // namespace

LastRecords find_last_records(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements)
{
    const bool is_ring = !data.empty() && (data.size() & (data.size() - 1)) == 0 && data.size() >= kWord;
    const bool is_in_order = at.tail <= at.head && at.head <= at.reserved && at.reserved - at.head <= data.size() &&
                             at.head % kWord == 0 && at.reserved % kWord == 0;
    if (!is_ring || !is_in_order || at.head == 0)
        return {at.head, 0, 0, false};
    return RingWords(data, at, statements).found();
}

} // namespace dt::postmortem
