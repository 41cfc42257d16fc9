// The principal buffers: one perf buffer per CPU, and beside it a fast lane when samples come in numbers.
//
// A wakeup per event costs the traced program 14 times what the event itself does (docs/performance.md), so a buffer
// wakes its reader only when much has gathered; a bounded wait does the rest.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/consume/lanes.hpp"
#include "libdtrace/consume/perf_ring.hpp"

namespace dt {
class LoadedMaps;
}
struct perf_buffer;

namespace dt::consume {

/// The buffers of a run. What is written before the fast lanes are open, or while they are full, is in the perf
/// buffers, which libbpf opens.
class Rings {
public:
    Rings();
    ~Rings();

    /// Opens one perf buffer of `bytes` (a power of two of pages) for each CPU that is online. Those opened before are
    /// closed, with what they hold.
    Result<void> open(int map, std::size_t bytes);

    /// CPUs that were not among those online get buffers now; what CPUs that went have left is still read. One that
    /// went and came back has lost its buffer: the kernel does not give it back.
    Result<void> follow_cpus(const std::vector<int>& online);

    /// Begins to open fast lanes of the CPUs that are online. Once; where there is no memory for them, or buffers are
    /// to be smaller than a lane, there are none.
    void open_lanes(const LoadedMaps& maps);
    /// Whether samples are written while others are read.
    bool has_lanes() const { return !lanes_.rings().empty() || !others_.empty(); }

    /// One more, which is not the kernel's and outlives this.
    void also_read(Ring& ring)
    {
        others_.push_back(&ring);
        rings_.push_back(&ring);
    }

    /// Waits until a buffer passed its watermark, at most `timeout_ms`; a signal ends the wait. Negative timeouts mean
    /// none.
    void wait(int timeout_ms);

    /// Becomes readable when a buffer has passed its watermark: for the run loop's own poll(2), until wait(). -1 before
    /// open().
    int descriptor() const;

    const RingList& list() const { return rings_; }

    /// Bytes that buffers and lanes take.
    uint64_t memory() const;

private:
    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    using Buffer = std::unique_ptr<perf_buffer, Close>;
    Result<void> add(std::vector<int> cpus);

    int epoll_ = -1;
    Lanes lanes_;
    bool lanes_tried_ = false;
    std::vector<Buffer> buffers_; ///< of the CPUs there were at the beginning, then of those that came
    std::deque<PerfRing> perf_rings_;
    RingList rings_, others_;
    std::vector<int> cpus_; ///< that are online and have a buffer
    int map_ = -1;
    std::size_t bytes_ = 0;
};

/// CPUs that are online.
std::vector<int> online_cpus();

/// `bytes` rounded up to a power of two of pages.
std::size_t round_buffer_size(std::size_t bytes, std::size_t page_size);

} // namespace dt::consume
