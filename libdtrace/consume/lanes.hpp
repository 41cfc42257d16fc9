// The fast lanes (struct dt_lane): memory for each CPU, made when samples come in numbers, into which programs write
// without a helper. Perf buffers stay, for what finds no room there, and for runs that need no more.
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

    /// Makes a lane for each of `cpus` and begins to open them. Once. The kernel waits a moment for each, in a thread:
    /// until then samples go where they went before. CPUs that find no memory have none.
    void open(const LoadedMaps& maps, const std::vector<int>& cpus);

    std::deque<LaneRing>& rings() { return rings_; }
    const std::deque<LaneRing>& rings() const { return rings_; }
    uint64_t memory() const; ///< bytes of the kernel

private:
    struct Lane {
        int map = -1, cpu = 0;
        dt_lane* head = nullptr; ///< a page of it is mapped
    };
    bool add(int cpu);
    void put_in_place();

    std::vector<Lane> lanes_;
    std::deque<LaneRing> rings_;
    int outer_ = -1; ///< DT_MAP_LANES, which outlives the object
    std::thread opening_;
};

} // namespace dt::consume
