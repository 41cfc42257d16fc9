// mmap rings (struct dt_mmap_ring): per-CPU memory into which programs write without a helper call. They are created
// when many samples arrive. The perf buffers remain in use for samples that do not fit into a ring, and for runs with
// few samples. This file defines the ring of one CPU, and the owner of all rings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/buffers/ring.hpp"

// The mmap ring of one CPU: BPF programs write samples into it with ordinary stores (struct dt_mmap_ring).

namespace dt::consume {

class MmapRing final : public Ring {
public:
    /// Creates a reader for the ring in `map`, whose memory is a struct dt_mmap_ring; `head` is the address at which
    /// the head of that memory is mapped. Only unread data is mapped, piece by piece. Most rings are empty most of the
    /// time; completely mapped, they would be the largest part of the tracer's resident memory. A small piece stays
    /// mapped while samples arrive, because mapping at each refresh costs more than reading.
    MmapRing(int map, dt_mmap_ring* head, std::size_t page_size, uint32_t cpu);
    ~MmapRing() override;
    MmapRing(const MmapRing&) = delete;
    MmapRing& operator=(const MmapRing&) = delete;

    /// Returns the size of the mapped piece of the data area, in bytes.
    std::size_t mapped() const { return window_size_; }

private:
    uint64_t written() const override;
    void release_space(uint64_t position) override;
    bool find_front() override;
    void found_nothing_new() override;
    uint8_t* at(uint64_t position, std::size_t bytes);
    void clear();
    void unmap();

    int map_;
    dt_mmap_ring* head_page_;
    const std::size_t page_size_;
    uint8_t* window_ = nullptr; ///< the piece of the data area that is mapped
    std::size_t window_at_ = 0; ///< offset of the mapped piece in the ring's map
    std::size_t window_size_ = 0;
    std::size_t piece_;            ///< size in bytes of the next piece that will be mapped
    unsigned quiet_refreshes_ = 0; ///< number of consecutive calls of refresh() that found no new data
    uint8_t* shown_ = nullptr;     ///< the sample that front() returns; points into `window_`
    std::size_t shown_size_ = 0;
    uint64_t latest_ = 0; ///< latest time of a sample that has been read
};

} // namespace dt::consume

// The mmap rings of all CPUs. They are created only when many samples arrive.

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

class MmapRings {
public:
    MmapRings() = default;
    MmapRings(const MmapRings&) = delete;
    ~MmapRings();

    /// Creates a ring for each of `cpus`. Makes the rings visible to programs in a separate thread, because the system
    /// call takes long for each ring. Must be called only once. Until a ring is open, samples of its CPU go to the perf
    /// buffer. If a CPU's ring cannot be allocated, that CPU gets no ring.
    void open(const LoadedMaps& maps, const std::vector<int>& cpus);

    std::deque<MmapRing>& rings() { return rings_; }
    const std::deque<MmapRing>& rings() const { return rings_; }
    uint64_t memory() const; ///< returns the kernel memory of the rings in bytes

private:
    struct OpenedRing {
        int map = -1, cpu = 0;
        dt_mmap_ring* head = nullptr; ///< address of the ring's first page, which is mapped all the time
    };
    bool add(int cpu);
    void put_in_place();

    std::vector<OpenedRing> mmap_rings_;
    std::deque<MmapRing> rings_;
    /// A duplicate of the descriptor of DT_MAP_MMAP_RINGS, the map of rings; it stays valid when the object is
    /// unloaded.
    int outer_ = -1;
    std::thread opening_;
};

} // namespace dt::consume
