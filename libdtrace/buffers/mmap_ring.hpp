// mmap rings (struct dt_lane): memory per CPU into which programs write without a helper call. They are created when
// many samples arrive. The perf buffers stay, for samples that do not fit into a ring and for runs with few samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "libdtrace/consume/lane_ring.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

class Lanes {
public:
    Lanes() = default;
    Lanes(const Lanes&) = delete;
    ~Lanes();

    /// Creates a ring for each of `cpus` and opens them in a thread, because the kernel delays each one. Must be called
    /// only once. Until a ring is open, samples go to the perf buffer. CPUs without memory for a ring have none.
    void open(const LoadedMaps& maps, const std::vector<int>& cpus);

    std::deque<LaneRing>& rings() { return rings_; }
    const std::deque<LaneRing>& rings() const { return rings_; }
    uint64_t memory() const; ///< returns the bytes of kernel memory that the rings take

private:
    struct Lane {
        int map = -1, cpu = 0;
        dt_lane* head = nullptr; ///< mapped first page of the ring
    };
    bool add(int cpu);
    void put_in_place();

    std::vector<Lane> lanes_;
    std::deque<LaneRing> rings_;
    int outer_ = -1; ///< own descriptor of DT_MAP_LANES, valid after the object is unloaded
    std::thread opening_;
};

} // namespace dt::consume
