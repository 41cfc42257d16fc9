// A CPU's samples in the order in which they were written, read in place: handed out as pointers into the memory that
// is shared with the kernel. The consumer formats from there, and space is given back as it goes.
#pragma once

#include <cstdint>
#include <vector>

namespace dt::consume {

/// One dt_sample with the time and CPU it was written at.
struct Sample {
    uint64_t time = 0; ///< CLOCK_MONOTONIC ns
    uint32_t cpu = 0;
    uint32_t spec = 0, probe = 0, stmt = 0;
    uint32_t size = 0; ///< of data
    const uint8_t* data = nullptr;
    bool continues = false; ///< with -x firings: its firing has sent one before
    uint64_t missing = 0;   ///< samples in front of it that found no room in this buffer
    uint64_t former = 0;    ///< then: time of the sample before those; 0: there was none
};

class Ring {
public:
    virtual ~Ring() = default;

    /// Looks how far the kernel has written: samples up to there can be read.
    void refresh();

    /// The oldest unread sample, or null. Valid until pop(). Records that are no samples, or malformed, are skipped.
    const Sample* front()
    {
        if (!has_front_)
            has_front_ = find_front();
        return has_front_ ? &front_ : nullptr;
    }
    void pop();

    /// Gives the space of everything popped back to the kernel.
    void release();

    uint32_t cpu() const { return cpu_; }
    /// Whether the kernel had filled a good part of the buffer at the last refresh(): the next pass should come soon.
    bool was_crowded() const { return crowded_; }

protected:
    /// `size`: of the data area, a power of two. `at`: where reading begins.
    Ring(uint64_t size, uint32_t cpu, uint64_t at) : size_(size), cpu_(cpu), head_(at), tail_(at), released_(at) {}

    virtual uint64_t written() const = 0;          ///< how far the kernel is
    virtual void give_back(uint64_t position) = 0; ///< what lies before it
    /// Makes `front_` the first sample at `tail_` or behind it, and `next_` where the record after it begins; false
    /// when there is none.
    virtual bool find_front() = 0;
    virtual void found_nothing_new() {} ///< a look at which nothing had been written since the last one

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

using RingList = std::vector<Ring*>; ///< others own them

} // namespace dt::consume
