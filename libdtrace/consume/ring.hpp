// The principal buffers: one perf buffer per CPU, read in place.
//
// A wakeup per event costs the traced program 14 times what the event itself does (docs/design.md, section 5), so a buffer wakes its
// reader only when much has gathered; a bounded wait does the rest. Samples are handed out as pointers into the shared memory: the
// consumer formats from there, and space is given back to the kernel as it goes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/result.hpp"

struct perf_buffer;

namespace dt::consume {

/// One dt_sample with the time and CPU it was written at.
struct Sample {
    uint64_t time = 0; ///< CLOCK_MONOTONIC ns
    uint32_t cpu = 0;
    uint32_t spec = 0, probe = 0, stmt = 0;
    uint32_t size = 0; ///< of data
    const uint8_t* data = nullptr;
};

/// Reads one CPU's buffer. `mapping` is the perf_event_mmap_page followed by the data area, a power of two in size.
class Ring {
public:
    Ring(void* mapping, std::size_t mapping_size, std::size_t page_size, uint32_t cpu);

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

private:
    bool find_front();
    const uint8_t* contiguous(uint64_t at, std::size_t size);

    void* page_;
    const uint8_t* data_;
    uint64_t size_; // of the data area
    uint32_t cpu_;
    uint64_t head_ = 0, tail_ = 0, released_ = 0;
    uint64_t next_ = 0; // where the record after front_ begins
    Sample front_;
    bool has_front_ = false;
    bool crowded_ = false;
    std::vector<uint8_t> wrapped_; // a copy of a record that goes over the end
};

/// The perf buffers of a run, opened through libbpf.
class Rings {
public:
    Rings();
    ~Rings();

    /// Opens one buffer of `bytes` (a power of two of pages) for each CPU that is online. Those opened before are closed, with what they hold.
    Result<void> open(int map, std::size_t bytes);

    /// CPUs that were not among those online get buffers now; what CPUs that went have left is still read. One that went and came back has lost its
    /// buffer: the kernel does not give it back.
    Result<void> follow_cpus(const std::vector<int>& online);

    /// Waits until a buffer passed its watermark, at most `timeout_ms`; a signal ends the wait. Negative timeouts mean none.
    void wait(int timeout_ms);

    /// Becomes readable when a buffer has passed its watermark: for the run loop's own poll(2). -1 before open().
    int descriptor() const;

    std::vector<Ring>& list() { return rings_; }

private:
    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    using Buffer = std::unique_ptr<perf_buffer, Close>;
    Result<void> add(std::vector<int> cpus);

    std::vector<Buffer> buffers_; ///< the first has the CPUs there were at the beginning; its descriptor is readable when any has something
    std::vector<Ring> rings_;
    std::vector<int> cpus_; ///< that are online and have a buffer
    int map_ = -1;
    std::size_t bytes_ = 0;
};

/// CPUs that are online.
std::vector<int> online_cpus();

/// Bytes that a sample with `data_size` bytes of data takes in a buffer, and what the kernel may put in front of it about samples lost.
std::size_t record_size(std::size_t data_size);
constexpr std::size_t kLostRecordSize = 24;

/// `bytes` rounded up to a power of two of pages.
std::size_t round_buffer_size(std::size_t bytes, std::size_t page_size);

} // namespace dt::consume
