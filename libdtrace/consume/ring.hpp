// A CPU's samples in the order in which they were written. They are read in place, from memory shared with the kernel,
// and their space is returned continuously.
#pragma once

#include <cstdint>
#include <vector>

namespace dt::consume {

/// A dt_sample with the time and CPU at which it was written.
struct Sample {
    uint64_t time = 0; ///< time of the sample (CLOCK_MONOTONIC ns)
    uint32_t cpu = 0;
    uint32_t spec = 0, probe = 0, stmt = 0;
    uint32_t size = 0; ///< size of `data` in bytes
    const uint8_t* data = nullptr;
    bool continues = false; ///< with -x firings: the firing has sent an earlier sample
    uint64_t missing = 0;   ///< number of samples lost before this one because the buffer was full
    uint64_t former = 0;    ///< if `missing` is not 0: time of the sample before the lost ones; 0: none
};

class Ring {
public:
    virtual ~Ring() = default;

    /// Reads how far the kernel has written; samples up to there can be read.
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

    /// Returns the space of all popped samples to the kernel.
    void release();

    uint32_t cpu() const { return cpu_; }
    /// Returns whether the buffer was more than a quarter full at the last refresh(), so the next pass should come
    /// soon.
    bool was_crowded() const { return crowded_; }

protected:
    /// `size` is the size of the data area, a power of two. Reading begins at position `at`.
    Ring(uint64_t size, uint32_t cpu, uint64_t at) : size_(size), cpu_(cpu), head_(at), tail_(at), released_(at) {}

    virtual uint64_t written() const = 0;          ///< returns the position up to which the kernel has written
    virtual void give_back(uint64_t position) = 0; ///< frees the space before `position`
    /// Sets `front_` to the first sample at or after `tail_`, and `next_` to the start of the following record. Returns
    /// false if there is no sample.
    virtual bool find_front() = 0;
    virtual void found_nothing_new() {} ///< called by a refresh() that found no new data

    const uint64_t size_;
    const uint32_t cpu_;
    uint64_t head_, tail_;
    uint64_t next_ = 0;
    Sample front_;

private:
    uint64_t released_;
    bool has_front_ = false;
    bool crowded_ = false;
};

using RingList = std::vector<Ring*>; ///< rings in any order; the list does not own them

} // namespace dt::consume
